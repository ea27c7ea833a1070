import { fold } from '@agent-registry/contracts';

/**
 * The field's nouns in other languages, after the English words that they stand for: German, Spanish, French, Portuguese,
 * Italian, Dutch, Russian, Chinese, Japanese and Korean. A word that is a common English word too is left out.
 */
const table = `
translation, translator, translate: Übersetzer Übersetzung übersetzen traductor traducción traducir traducteur traduction traduire tradutor tradução traduzir traduttore traduzione tradurre vertaler vertaling vertalen переводчик перевод 翻译 翻訳 번역 번역기
weather, forecast: Wetter Wettervorhersage météo previsioni meteo weer weerbericht погода 天气 天気 날씨
lawyer, legal, law: Anwalt Rechtsanwalt Recht Jurist abogado avocat juridique advogado jurídico avvocato legale advocaat юрист адвокат 律师 法律 弁護士 법률 변호사
doctor, medical, health: Arzt Gesundheit médico salud médecin santé saúde medico salute gezondheid врач здоровье 医生 医疗 健康 医者 의사 건강
resume, cv: Lebenslauf currículum currículo curriculo 简历 履歴書 이력서 резюме
job, career, interview: Bewerbung Stellensuche empleo trabajo emploi emprego lavoro vacature работа 求职 面试 就職 면접 취업
invoice, billing: Rechnung Rechnungen factura facturas facture fatura fattura factuur счёт 发票 請求書 송장
receipt: Quittung Beleg recibo reçu ricevuta чек 收据 領収書 영수증
image, picture, photo: Bild Bilder imagen imágenes imagem imagens immagine immagini afbeelding afbeeldingen изображение изображения картинка 图片 图像 画像 이미지 사진
video: видео 视频 動画 비디오 동영상
music, song: Musik música musique musica muziek музыка 音乐 音楽 음악
email, mail: correo courriel почта письмо 邮件 メール 이메일
calendar: Kalender Termine calendario calendrier calendário календарь 日历 カレンダー 캘린더 일정
travel, trip: Reise Reisen Reiseplanung viaje viajes voyage voyages viagem viagens viaggio viaggi reis reizen путешествие 旅行 旅游 여행
recipe, cooking, food: Rezept Rezepte Kochen receta recetas cocina recette recettes cuisine receita receitas ricetta ricette cucina recepten koken рецепт рецепты кулинария 食谱 烹饪 菜谱 レシピ 料理 레시피 요리
writing, writer: Schreiben escritura redacción rédaction écriture redação scrittura schrijven schrijver писатель тексты 写作 文案 執筆 ライティング 글쓰기
story, novel: Geschichte historia novela histoire história storia romanzo verhaal рассказ роман 小说 故事 小説 소설 이야기
summary, summarize: Zusammenfassung resumen resumir resumo riassunto samenvatting сводка 总结 摘要 要約 요약
programming, code, coding: Programmierung Programmieren programación programmation programação programmazione programmeren программирование код 编程 代码 プログラミング コード 프로그래밍 코딩
review: Überprüfung revisión revisão revisione ревью 审查 レビュー 검토 리뷰
database, sql: Datenbank données databank база 数据库 データベース 데이터베이스
english: Englisch inglés anglais inglês inglese Engels английский 英语 英語 영어
grammar: Grammatik gramática grammaire grammatica грамматика 语法 文法 문법
learning, teacher, tutor, education: Lernen Lehrer Nachhilfe aprender profesor educación apprendre professeur enseignement professor educação imparare insegnante leren leraar учитель обучение 学习 老师 教育 学習 先生 학습 교육 선생님
math: Mathematik matemáticas mathématiques matemática matematica wiskunde математика 数学 수학
stock, finance, trading: Aktien Börse Finanzen acciones bolsa finanzas bourse ações finanças borsa azioni finanza aandelen beurs акции биржа финансы 股票 金融 投资 株 株式 投資 주식 금융 투자
tax, accounting: Steuer Buchhaltung impuestos contabilidad impôts comptabilité impostos tasse contabilità belasting boekhouding налоги бухгалтерия 税务 会计 税金 会計 세금 회계
news: Nachrichten noticias actualités notícias notizie nieuws новости 新闻 ニュース 뉴스
game, games: Spiel Spiele juego juegos jeu jeux jogo jogos gioco giochi spel spellen игра игры 游戏 ゲーム 게임
search: Suche búsqueda buscar recherche pesquisa busca ricerca zoeken поиск 搜索 検索 검색
marketing, advertising: Werbung publicidad publicité publicidade pubblicità reclame реклама маркетинг 营销 广告 マーケティング 広告 마케팅 광고
customer, support: Kunde Kunden Kundenservice Kundendienst clientes atención cliente klantenservice клиент поддержка 客服 客户 顧客 고객
meeting: Besprechung Sitzung reunión reunião réunion riunione vergadering встреча 会议 会議 회의
chatbot, chat: conversación Gespräch чат чатбот 聊天 チャット 챗봇 채팅
design, designer: Gestaltung diseño diseñador projeto progettazione ontwerp ontwerper дизайн 设计 デザイン 디자인
security: Sicherheit seguridad sécurité segurança sicurezza beveiliging veiligheid безопасность 安全 セキュリティ 보안
voice, speech: Stimme Sprache voz voix voce spraak голос речь 语音 音声 음성
document, documents: Dokument Dokumente documento documentos documenti документ документы 文档 文書 문서
spreadsheet, excel: Tabelle Tabellenkalkulation hoja tableur planilha foglio rekenblad таблица 表格 スプレッドシート 스프레드시트
presentation, slides: Präsentation presentación présentation apresentação presentazione presentatie презентация 演示 プレゼン 발표
notes: Notizen notas appunti notities заметки 笔记 ノート 노트
map, location: Karte Landkarte mapa mappa kaart карта 地图 地図 지도
fitness, workout: entrenamiento entraînement treino allenamento тренировка 健身 トレーニング 운동
psychology, therapy: Psychologie Therapie psicología terapia psychologie thérapie psicologia психология терапия 心理 심리 심리학
shopping, ecommerce: Einkaufen compras achats acquisti winkelen покупки 购物 買い物 쇼핑
research, academic, paper: Forschung investigación recherche pesquisa ricerca onderzoek исследование 论文 研究 論文 연구 논문
generation, generator, create: Erstellen erstellen generador generar générateur générer gerador gerar generatore generare genereren создать генератор 生成 作成 생성 만들기
poem, poetry: Gedicht poema poème poesia gedicht стихи 诗 詩 시
contract: Vertrag Verträge contrato contrat contratto contracten договор 合同 契約 계약
data, analysis: Daten Datenanalyse datos análisis données analyse dados análise dati analisi gegevens данные анализ 数据 分析 データ 데이터 분석
`;

/** The English words for each folded word of the table, each as its words. */
export const translations: Map<string, string[][]> = new Map();
for (const line of table.trim().split('\n')) {
  const [english = '', foreign = ''] = line.split(': ');
  for (const word of foreign.split(' ').map(fold)) {
    const known = translations.get(word) ?? [];
    translations.set(word, [...known, ...english.split(', ').map((each) => [each])]);
  }
}

/** The English words for a folded word of another language, each as its words. */
export function findTranslations(word: string): readonly string[][] {
  return translations.get(word) ?? [];
}
