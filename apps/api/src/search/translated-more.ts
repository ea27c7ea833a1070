/**
 * The rows of `translated-nouns.ts` and `translated-verbs.ts` in Polish, Turkish, Indonesian, Arabic and Hindi, each by its
 * first English word. A language with the English word only has a dash.
 */
export const translatedMore = `
language: język języki języka językowy językowa | dil diller dili | bahasa | لغة لغات | भाषा भाषाएं
english: angielski angielskiego angielsku angielska | ingilizce ingilizceye | inggris | انجليزية إنجليزي | अंग्रेजी इंग्लिश
german: niemiecki niemieckiego | almanca | jerman | ألمانية | जर्मन
french: francuski francuskiego | fransızca | prancis | فرنسية | फ्रेंच
spanish: hiszpański hiszpańskiego | ispanyolca | spanyol | اسبانية | स्पेनिश
portuguese: portugalski portugalskiego | portekizce | portugis | برتغالية | पुर्तगाली
italian: włoski włoskiego | italyanca | italia | ايطالية | इतालवी
russian: rosyjski rosyjskiego | rusça | rusia | روسية | रूसी
chinese: chiński chińskiego | çince | mandarin tionghoa | صينية | चीनी
japanese: japoński japońskiego | japonca | jepang | يابانية | जापानी
korean: koreański koreańskiego | korece | korea | كورية | कोरियाई
dictionary: słownik słownika | sözlük | kamus | قاموس معجم | शब्दकोश
vocabulary: słownictwo słówka słówek | kelime kelimeler | kosakata | مفردات كلمات | शब्दावली शब्द
plagiarism: plagiat plagiatu | intihal | plagiarisme plagiat | انتحال سرقة | साहित्यिक नकल
weather: pogoda pogody pogodę | hava | cuaca | طقس | मौसम
lawyer: prawnik prawnika adwokat prawo prawny prawna | avukat hukuk | pengacara hukum | محامي محام قانون قانونية | वकील कानून कानूनी
contract: umowa umowy umowę umów kontrakt | sözleşme sözleşmeyi | kontrak perjanjian | عقد عقود | अनुबंध करार
patent: patenty patentu | patenti | paten | براءة | पेटेंट
compliance: zgodność przepisy regulacje | uyumluluk mevzuat | kepatuhan regulasi | امتثال | अनुपालन
visa: wiza wizy wizę imigracja | vize göçmenlik | imigrasi paspor | تأشيرة هجرة | वीजा
government: rząd urząd urzędy | devlet belediye | pemerintah | حكومة | सरकार सरकारी
doctor: lekarz lekarza medyczny medyczna medycyna zdrowie zdrowia zdrowotna zdrowotnej | doktor sağlık tıp | dokter kesehatan medis | طبيب صحة طبي طبية | डॉक्टर स्वास्थ्य चिकित्सा
symptom: objawy objawów diagnoza | belirti teşhis | gejala diagnosa | أعراض تشخيص | लक्षण निदान
medication: leki leków lekarstwo | ilaç ilaçlar | obat | دواء أدوية | दवा दवाई
psychology: psychologia psychologiczna terapia psycholog | psikoloji terapi psikolog | psikologi psikolog | نفسية علاج نفسي | मनोविज्ञान थेरेपी
meditation: medytacja medytacji | meditasyon | meditasi | تأمل | ध्यान
sleep: sen snu spanie | uyku uyumak | tidur | نوم | नींद
dream: sny snów marzenia senne | rüya rüyalar rüyamda rüyam | mimpi | حلم أحلام | सपना सपने स्वप्न
diary: dziennik pamiętnik | günlük | harian | يوميات مذكرات | डायरी
habit: nawyk nawyki nawyków | alışkanlık alışkanlıklar | kebiasaan | عادة عادات | आदत
fitness: siłownia ćwiczenia trening kondycja | spor egzersiz antrenman | kebugaran olahraga | لياقة تمارين | व्यायाम कसरत
sports: sportowy sportu | spor | olahraga | رياضة رياضية | खेल
football: piłka nożna | futbol | sepak bola | كرة | फुटबॉल
diet: dieta diety odżywianie żywienie | diyet beslenme | gizi | حمية غذاء تغذية | आहार पोषण
recipe: przepis przepisy gotowanie kuchnia gotować | tarif yemek tarifi | resep masak memasak | وصفة طبخ وصفات | रेसिपी खाना
restaurant: restauracja restauracje restauracji | restoran lokanta | restoran | مطعم مطاعم | रेस्तरां
wine: wino wina | şarap | anggur | نبيذ | शराब
travel: podróż podróże podróży wycieczka wakacje | seyahat gezi tatil | perjalanan wisata liburan | سفر رحلة سياحة | यात्रा पर्यटन
flight: lot loty lotów samolot samoloty | uçuş uçak | penerbangan pesawat | طيران رحلات طائرة | उड़ान
hotel: nocleg noclegi hotele | otel konaklama | penginapan | فندق فنادق | होटल
booking: rezerwacja rezerwacje rezerwować | rezervasyon | pemesanan reservasi | حجز | बुकिंग
train: pociąg pociągi pociągów | tren | kereta | قطار | ट्रेन
map: mapa mapy mapę | harita | peta | خريطة خرائط | नक्शा
calendar: kalendarz kalendarza terminarz | takvim | kalender | تقويم | कैलेंडर
reminder: przypomnienie przypomnienia | hatırlatma hatırlatıcı | pengingat | تذكير | अनुस्मारक
notification: powiadomienie powiadomienia | bildirim | pemberitahuan notifikasi | إشعار | सूचनाएं
task: zadanie zadania zadań | görev görevler yapılacaklar | tugas | مهمة مهام | कार्य काम
project: projekt projekty projektów projektu | proje projeler | proyek | مشروع مشاريع | परियोजना
productivity: produktywność wydajność | üretkenlik verimlilik | produktivitas | إنتاجية | उत्पादकता
email: maile maili poczta | eposta posta | surel | بريد إيميل | ईमेल
letter: pismo listu listy list motywacyjny | mektup | surat | رسالة خطاب | पत्र चिट्ठी
message: wiadomość wiadomości | mesaj mesajlar | pesan | رسائل | संदेश
phone: telefon telefonu telefoniczny | telefon telefonda | telepon ponsel | هاتف مكالمة | फोन
meeting: spotkanie spotkania spotkań zebranie | toplantı toplantılar | rapat pertemuan | اجتماع اجتماعات | बैठक मीटिंग
notes: notatki notatek notatka | not notlar | catatan | ملاحظات | नोट्स
news: aktualności wiadomości | haber haberler | berita | أخبار | समाचार खबर
music: muzyka muzyki muzykę piosenka piosenkę piosenki | müzik şarkı şarkılar | musik lagu | موسيقى أغنية أغاني | संगीत गाना गीत
audio: dźwięk dźwięku | ses sesi | - | صوت صوتي | ऑडियो ध्वनि
voice: głos głosu głosem | ses sesi | suara | صوت صوتي | आवाज
speech: mowa mowy mowę | konuşma konuşmayı | ucapan pidato | كلام خطاب | भाषण
podcast: podcasty podcastu | podcastler | siniar | بودكاست | पॉडकास्ट
subtitles: napisy napisów | altyazı | subtitel takarir | ترجمات | उपशीर्षक
video: wideo filmik filmy | videolar videoyu | - | فيديو فيديوهات | वीडियो
movie: filmy filmów seriale | dizi | - | فيلم أفلام | फिल्म
image: obraz obrazy obrazek zdjęcie zdjęcia zdjęć grafika | resim görsel fotoğraf görüntü | gambar foto | صورة صور | तस्वीर फोटो चित्र छवि
image generator: obrazów | görseller | gambar | صور | चित्र
avatar: awatar awatary | avatarı | - | أفاتار | अवतार
face: twarz twarzy twarze | yüz yüzler | wajah | وجه وجوه | चेहरा
background: tło tła | arkaplan arka | - | خلفية | पृष्ठभूमि बैकग्राउंड
color: kolor kolory kolorów | renk renkler | warna | لون ألوان | रंग
design: projektowanie wzornictwo | tasarım tasarlamak | desain rancangan | تصميم | डिज़ाइन
logo: logotyp logotypy | logosu | - | شعار | लोगो
poster: plakat plakaty ulotka | afiş | selebaran | ملصق | पोस्टर
interior design: wnętrza wnętrz meble | mimari dekorasyon mobilya | - | ديكور أثاث | सजावट
3d: trójwymiarowy | - | - | ثلاثي | त्रिआयामी
animation: animacja animacje animacji | animasyon | animasi | رسوم متحركة | एनिमेशन
architecture: architektura architektury | mimari mimarlık | arsitektur | معمار عمارة | वास्तुकला
real estate: nieruchomości mieszkanie mieszkania | emlak konut | properti | عقارات عقار | संपत्ति
home: dom domu mieszkanie | ev evde | rumah | بيت منزل | घर
garden: ogród ogrodu rośliny | bahçe bitki | kebun tanaman | حديقة | बगीचा
pet: zwierzę zwierzęta zwierząt | evcil hayvan | peliharaan hewan | حيوانات أليفة | पालतू
dog: pies psa psy | köpek | anjing | كلب | कुत्ता
cat: kot kota koty | kedi | kucing | قطة | बिल्ली
car: samochód samochodu auto samochody | araba otomobil | mobil | سيارة سيارات | कार गाड़ी
children: dzieci dziecko dziecka | çocuk çocuklar | anak | أطفال طفل | बच्चे बच्चों
pregnancy: ciąża ciąży | hamilelik gebelik | kehamilan | حمل | गर्भावस्था
dating: randki randka | flört | kencan jodoh | مواعدة | डेटिंग
companion: przyjaciel towarzysz samotność smutny smutno | arkadaş yalnız üzgün | teman sahabat sedih kesepian | صديق رفيق | साथी दोस्त
astrology: astrologia horoskop wróżba wróżby karty | astroloji fal burç | astrologi ramalan zodiak | أبراج تنجيم | ज्योतिष राशिफल
bible: biblia biblii religia | kutsal din | alkitab agama | دين قرآن | बाइबिल धर्म
philosophy: filozofia filozofii | felsefe | filsafat | فلسفة | दर्शन
history: historia historii | tarih | sejarah | تاريخ | इतिहास
text: tekst tekstu teksty tekście | metin metinler metni yazı | teks tulisan | نص نصوص | टेक्स्ट पाठ
article: artykuł artykuły artykułów | makale | artikel | مقال مقالات مقالة | लेख
essay: wypracowanie esej rozprawka praca dyplomowa | deneme tez | esai makalah skripsi | مقال | निबंध
book: książka książki książek | kitap kitaplar | buku | كتاب كتب | किताब पुस्तक
story: opowiadanie opowieść historia bajka | hikaye öykü masal | cerita dongeng | قصة قصص | कहानी
poem: wiersz wiersze poezja | şiir | puisi | شعر قصيدة | कविता
script: scenariusz scenariusze | senaryo | naskah skenario | سيناريو | पटकथा
joke: żart żarty dowcip | şaka fıkra | lelucon | نكتة | चुटकुला
idea: pomysł pomysły pomysłów | fikir fikirler | ide gagasan | فكرة أفكار | विचार
name: nazwa nazwy imię imiona | isim ad | nama | اسم أسماء | नाम
software: oprogramowanie aplikacja aplikacje aplikacji program | yazılım uygulama uygulamalar | perangkat lunak aplikasi | تطبيق برنامج برمجيات | सॉफ्टवेयर ऐप
website: strona strony internetowa witryna | websitesi site | situs laman | موقع مواقع | वेबसाइट
browser: przeglądarka przeglądarki | tarayıcı | peramban | متصفح | ब्राउज़र
feedback: opinia opinie ocena | geribildirim yorum | umpan ulasan | تقييم آراء | प्रतिक्रिया
database: baza bazy | veritabanı | basis | قاعدة بيانات | डेटाबेस
server: serwer serwery serwera | sunucu | peladen | خادم | सर्वर
network: sieć sieci | ağ | jaringan | شبكة | नेटवर्क
documentation: dokumentacja dokumentacji instrukcja | dokümantasyon belgeleme | dokumentasi | توثيق | दस्तावेज़ीकरण
security: bezpieczeństwo bezpieczeństwa | güvenlik | keamanan | أمن أمان | सुरक्षा
vulnerability: luka luki podatności | güvenlik açığı zafiyet | kerentanan celah | ثغرة ثغرات | भेद्यता
privacy: prywatność prywatności | gizlilik | privasi | خصوصية | गोपनीयता
fraud: oszustwo oszustwa | dolandırıcılık | penipuan | احتيال | धोखाधड़ी
password: hasło hasła | şifre parola | sandi | كلمة مرور | पासवर्ड
data: dane danych | veri veriler | - | بيانات | डेटा आंकड़े
statistics: statystyka statystyki | istatistik | statistik | إحصاء | सांख्यिकी
chart: wykres wykresy | grafik grafikler | grafik bagan | رسم بياني مخطط | चार्ट
report: raport raporty sprawozdanie | rapor raporlar | laporan | تقرير تقارير | रिपोर्ट
spreadsheet: arkusz arkusze arkusza kalkulacyjny | tablo | tabel lembar | جدول جداول | स्प्रेडशीट एक्सेल
presentation: prezentacja prezentacje slajdy | sunum slayt | presentasi salindia | عرض تقديمي شرائح | प्रस्तुति
document: dokument dokumenty dokumentów | belge belgeler doküman | dokumen | وثيقة مستند مستندات | दस्तावेज़ दस्तावेज
file: plik pliki plików foldery | dosya dosyalar klasör | berkas | ملف ملفات | फाइल
form: formularz formularze ankieta | anket formlar | formulir | استمارة نموذج | फॉर्म
template: szablon szablony | şablon | templat | قالب | टेम्पलेट
ocr: rozpoznawanie tekstu skan skanowanie | tarama | pindai pemindaian | مسح | स्कैन
chatbot: czatbot czat rozmowa | sohbet | obrolan | محادثة دردشة | चैटबॉट बातचीत
assistant: asystent asystentka pomocnik | asistan yardımcı | asisten | مساعد | सहायक
advice: porada porady porad rada doradca | tavsiye danışman öneri | saran nasihat konsultasi | نصيحة نصائح استشارة | सलाह
student: uczeń studenci szkoła studia | öğrenci okul | siswa sekolah pelajar | طالب طلاب مدرسة | छात्र
course: kurs kursy lekcja | kurs ders dersler | kursus pelajaran | دورة درس | पाठ्यक्रम
exam: egzamin egzaminu egzaminy | sınav sınavlar | ujian tes | امتحان | परीक्षा
math: matematyka matematyki zadania | matematik | matematika | رياضيات | गणित
science: nauka naukowy nauki | bilim | sains ilmu | علوم علم | विज्ञान
physics: fizyka fizyki | fizik | fisika | فيزياء | भौतिकी
chemistry: chemia chemii | kimya | kimia | كيمياء | रसायन
biology: biologia biologii | biyoloji | biologi | أحياء | जीवविज्ञान
research: badania badań badanie | araştırma araştırmalar | penelitian riset | بحث أبحاث | शोध अनुसंधान
citation: cytat cytowanie bibliografia | alıntı kaynakça | kutipan sitasi | اقتباس مراجع | उद्धरण
knowledge: wiedza wiedzy | bilgi | pengetahuan | معرفة | ज्ञान
memory: pamięć pamięci | hafıza bellek | memori ingatan | ذاكرة | याददाश्त स्मृति
model: modele modelu | modeller | - | نموذج | मॉडल
machine learning: uczenie maszynowe | makine öğrenmesi | pembelajaran | تعلم آلي | मशीन लर्निंग
prompt: prompty podpowiedź | istem | perintah | مطالبة | प्रॉम्प्ट
robot: roboty robotów | robotlar | - | روبوت | रोबोट
game: gra gry gier | oyun oyunlar | permainan gim | لعبة ألعاب | गेम
roleplay: postać postacie odgrywanie | karakter | karakter tokoh | شخصية تمثيل | पात्र
chess: szachy szachów | satranç | catur | شطرنج | शतरंज
event: wydarzenie wydarzenia wesele urodziny | etkinlik doğum | acara | مناسبة | आयोजन
gift: prezent prezenty | hediye | hadiah kado | هدية | उपहार
job: praca pracy pracę | iş işler meslek | pekerjaan lowongan kerja | وظيفة وظائف عمل | नौकरी
interview: rozmowa kwalifikacyjna rekrutacyjna | mülakat görüşme | wawancara | مقابلة | साक्षात्कार
resume: życiorys | özgeçmiş | riwayat | سيرة ذاتية | बायोडाटा
recruiting: rekrutacja rekrutacji | - | rekrutmen | توظيف | भर्ती
customer: klient klienci klientów klienta obsługa | müşteri müşteriler | pelanggan | عميل عملاء زبائن | ग्राहक
sales: sprzedaż sprzedaży | satış satışlar | penjualan | مبيعات | बिक्री
proposal: oferta propozycja | teklif | penawaran | مقترح | प्रस्ताव
marketing: reklama reklamy reklam | pazarlama reklam reklamlar | pemasaran iklan | تسويق إعلان إعلانات | विपणन विज्ञापन
seo: pozycjonowanie | arama | optimasi | محركات | एसईओ
social media: społecznościowe społecznościowych posty | sosyal | sosial medsos | تواصل اجتماعي منشور | सोशल मीडिया
business: biznes biznesu firma firmy przedsiębiorstwo | işletme şirket girişim | bisnis usaha perusahaan | أعمال شركة مشروع | व्यापार कंपनी
competitor: konkurencja konkurencji | rakip rakipler | pesaing | منافس منافسين | प्रतियोगी
team: zespół zespołu zespole | ekip takım | tim | فريق | टीम
invoice: faktura faktury faktur rachunek | fatura faturalar | faktur tagihan | فاتورة فواتير | चालान बिल
receipt: paragon paragony wydatki | fiş makbuz masraf | kuitansi pengeluaran | إيصال مصاريف | रसीद खर्च
tax: podatek podatki podatków księgowość księgowy | vergi muhasebe | pajak akuntansi | ضرائب ضريبة محاسبة | कर लेखांकन
budget: budżet finanse oszczędzanie | bütçe finans | anggaran keuangan | ميزانية مالية | बजट वित्त
stock: akcje giełda giełdy inwestycje | borsa hisse yatırım | saham investasi | أسهم بورصة استثمار | शेयर निवेश
crypto: kryptowaluty kryptowaluta | kripto | kripto | عملات رقمية | क्रिप्टो
payment: płatność płatności | ödeme ödemeler | pembayaran | دفع مدفوعات | भुगतान
loan: kredyt pożyczka | kredi | pinjaman | قرض | ऋण
insurance: ubezpieczenie ubezpieczenia | sigorta | asuransi | تأمين | बीमा
price: cena ceny cen | fiyat fiyatlar | harga | سعر أسعار | कीमत
deals: promocje rabat okazje | indirim kampanya | diskon promo | عروض خصم | छूट
product: produkt produkty produktu | ürün ürünler | produk | منتج منتجات | उत्पाद
fashion: moda mody ubrania | moda giyim | busana pakaian | أزياء ملابس موضة | फैशन
beauty: uroda kosmetyki makijaż | güzellik makyaj | kecantikan | جمال مكياج | सौंदर्य
energy: energia energii | enerji | energi | طاقة | ऊर्जा
agriculture: rolnictwo rolnik | tarım çiftçi | pertanian petani | زراعة | कृषि खेती
logistics: logistyka transport dostawa | lojistik kargo | logistik pengiriman | شحن لوجستيات | रसद
engineering: inżynieria inżynier | mühendislik mühendis | teknik insinyur | هندسة مهندس | इंजीनियरिंग
accessibility: dostępność niepełnosprawni | erişilebilirlik engelli | aksesibilitas | إتاحة | सुलभता
translation: tłumaczenie tłumacz tłumaczyć przetłumaczyć | çeviri çevirmek çevirmen tercüme çevir | terjemahan menerjemahkan penerjemah terjemahkan | ترجمة مترجم | अनुवाद अनुवादक
grammar: gramatyka gramatyki ortografia korekta błędy językowe | dilbilgisi gramer yazım imla | bahasa ejaan | نحو إملاء تدقيق | व्याकरण वर्तनी
rewrite: przeredagować parafraza | yazmak | parafrase | إعادة صياغة | पुनर्लेखन
planning: planowanie planować | planlama planlamak | perencanaan rencana | تخطيط خطة | योजना
management: zarządzanie zarządzać | yönetim yönetmek | manajemen mengelola | إدارة | प्रबंधन
summary: podsumowanie streszczenie streścić podsumować | özet özetlemek özetleyen | ringkasan meringkas rangkuman | تلخيص ملخص | सारांश
fact checking: fałszywe sprawdzanie faktów | doğrulama yalan | hoaks cek fakta | تحقق | तथ्य जांच
text to speech: lektor czytanie głos | seslendirme sesli okuma | pembaca suara | قراءة | वाचन
transcription: transkrypcja transkrybować dyktowanie | transkripsiyon dikte | transkripsi dikte | تفريغ نسخ | प्रतिलेखन
record: nagranie nagrania nagrywanie | kayıt kaydetmek | rekaman rekam | تسجيل | रिकॉर्डिंग
video editing: montaż montażu | kurgu montaj | penyuntingan | مونتاج | संपादन
photo editing: retusz obróbka | rötuş düzenleme | foto | تعديل | फोटो
drawing: rysunek rysować rysowanie malowanie sztuka | çizim çizmek resim sanat | lukisan melukis menggambar seni | رسم فن | चित्रकारी ड्राइंग कला
upscale: wyostrzyć powiększyć rozmazane | keskinleştirmek büyütmek bulanık | mempertajam memperbesar buram | توضيح تكبير | धुंधली
writing: pisanie pisać napisać | yazmak yazma yazar | menulis penulisan penulis | كتابة كاتب كتب | लेखन लिखना लिखने लेखक
reading: czytanie czytać | okuma okumak | membaca bacaan | قراءة قارئ | पढ़ना
programming: programowanie programista kod kodu programować | programlama kod kodlama yazılımcı | pemrograman kode kodingan koding | برمجة مبرمج كود | प्रोग्रामिंग कोड कोडिंग
debugging: błąd błędy błędów debugowanie | hata hatalar ayıklama | kesalahan galat | خطأ أخطاء | त्रुटि
test: testowanie testy testów | testler sınama | pengujian uji | اختبار | परीक्षण
review: recenzja przegląd oceniać | inceleme incelemek | tinjauan meninjau | مراجعة | समीक्षा
check: sprawdzanie sprawdzić sprawdzenie weryfikacja | kontrol denetlemek doğrulamak | memeriksa pemeriksaan | فحص تحقق | जांच
deployment: wdrożenie wdrożenia | dağıtım yayınlama | penerapan | نشر | परिनियोजन
integration: integracja integracje połączyć | entegrasyon bağlamak | integrasi | تكامل ربط | एकीकरण
analysis: analiza analizy analizować analityka | analiz analizi çözümleme | analisis analisa menganalisis | تحليل تحليلات | विश्लेषण
extract: wyodrębnić wyciągnąć ekstrakcja | çıkarmak ayıklamak | ekstraksi mengekstrak | استخراج | निकालना
scraping: pobieranie zbieranie | kazıma toplama | pengikisan | كشط | स्क्रैपिंग
convert: konwersja przekształcić zamienić konwerter | dönüştürmek dönüştürücü dönüşüm | konversi mengubah | تحويل محول | बदलना
comparison: porównanie porównać porównywarka | karşılaştırma karşılaştırmak | perbandingan membandingkan | مقارنة | तुलना
edit: edycja edytować edytor | düzenlemek düzenleme | menyunting | تحرير تعديل | संपादन
remove: usunąć usuwanie | silmek kaldırmak | hapus menghapus | إزالة حذف | हटाना हटाने
improve: poprawić ulepszyć optymalizacja | iyileştirmek geliştirmek | memperbaiki meningkatkan | تحسين | सुधार
generator: tworzenie tworzyć stworzyć generowanie | oluşturmak oluşturucu üretmek | membuat pembuat buat | إنشاء مولد توليد | बनाना बनाने
recognition: rozpoznać rozpoznawanie wykrywanie | tanıma algılama | pengenalan deteksi | تعرف كشف | पहचान
organize: porządkowanie organizować sortować | düzenlemek sıralamak | mengatur menyusun | تنظيم ترتيب | व्यवस्थित
explain: wyjaśnić wytłumaczyć wyjaśnienie | açıklamak açıklama anlatmak | menjelaskan penjelasan | شرح يشرح | समझाना
answer: odpowiedź odpowiedzi odpowiadać pytania | cevap cevaplamak yanıt soru | jawaban menjawab pertanyaan | إجابة جواب أسئلة رد | जवाब उत्तर प्रश्न
search: szukać wyszukiwarka wyszukiwanie | aramak arama | mencari pencarian | بحث | खोज खोजना
automation: automatyzacja automatyczny automatycznie | otomasyon otomatik | otomatis otomatisasi | أتمتة تلقائي | स्वचालित
monitoring: monitorowanie śledzenie | izleme takip | pemantauan memantau | مراقبة متابعة | निगरानी
control: sterowanie sterować | kontrol yönetmek | mengendalikan kendali | تحكم | नियंत्रण
recommendation: polecenia polecać rekomendacje | öneri önermek | rekomendasi | توصية اقتراح | सिफारिश
prediction: prognoza przewidywanie | tahmin öngörü | prediksi prakiraan | توقع تنبؤ | भविष्यवाणी
send: wysłać wysyłanie | göndermek | mengirim kirim | إرسال | भेजना
download: pobrać pobieranie | indirmek | unduh mengunduh | تحميل | डाउनलोड
publish: publikować publikacja | yayınlamak paylaşmak | menerbitkan mempublikasikan | نشر | प्रकाशित
learning: nauka uczyć nauczyciel edukacja uczenie | öğrenmek öğretmen eğitim öğrenme | belajar guru pendidikan pembelajaran | تعلم تعليم معلم دراسة | सीखना शिक्षक शिक्षा पढ़ाई
practice: ćwiczyć ćwiczenie praktyka | pratik alıştırma | latihan berlatih | تدريب ممارسة تمرين | अभ्यास
calculator: kalkulator obliczyć liczyć | hesap makinesi hesaplamak | kalkulator menghitung | حاسبة حساب | गणना कैलकुलेटर
shopping: zakupy sklep sklepu kupić | alışveriş mağaza | belanja toko | تسوق متجر شراء | खरीदारी
free: darmowy darmowa darmowe bezpłatny | ücretsiz bedava | gratis cuma-cuma | مجاني مجانا | मुफ्त
open source: otwarty | açık kaynak | terbuka | مفتوح | मुक्त
local: lokalny lokalnie | yerel çevrimdışı internetsiz | lokal luring | محلي | स्थानीय
`;
