import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';

/** Korean questions, whose nouns have endings, for English and Korean texts. */
const questions = {
  '영화를 추천해줘': 'Movie recommendations',
  '레시피를 찾아줘': 'Recipe suggestions',
  '음악을 추천해주는 봇': 'Music recommendations',
  '날씨가 어떤지 알려줘': 'Weather charts',
  '계약서를 분석해줘': 'Contract analysis',
  '이력서를 분석하는 도구': 'Resume analysis',
  '주식을 분석해주세요': 'Stock analysis',
  '뉴스를 요약해줘': 'News summaries',
  '문서를 번역해주세요': 'Document translation',
  '이미지를 인식하는': 'Image recognition',
  '일정을 관리해줘': 'Calendar management',
  '게임을 추천해주세요': 'Game recommendations',
  '세금에 조언이 필요해요': 'Tax advice',
  '메시지를 요약하고 싶어요': 'Message summaries',
  '텍스트를 번역하기': 'Text translation',
  '송장을 관리하는': 'Invoice management',
  '영화 추천은 어떤 봇이 좋아요': 'Movie recommendations',
  '계약서를 확인하고 싶은데요': 'Contract checks',
  '날씨와 차트': 'Weather charts',
  '이미지의 인식은': 'Image recognition',
  '수달을 찾아줘': '수달 사진 보관함',
  강아지는: '강아지 목록',
  '보관함에서 찾기': '수달 사진 보관함',
};

describe.each(surfaceEngines)('the only hope of a word is a mechanism of its own, on $name', ({ open }) => {
  let database: TestDatabase;
  let store: AgentStore;

  beforeAll(async () => {
    database = await open();
    store = createAgentStore(database.engine);
    const texts = [...new Set(Object.values(questions))];
    await store.load(
      texts.map((description, index) => makeAgent({ name: `Plover ${index}`, description, capabilities: ['plovers'] })),
    );
    return () => database.remove();
  });

  test.each(Object.entries(questions))('%s', async (text, wanted) => {
    const found = await store.search({ text, limit: 3 });
    expect(found?.agents.map(({ description }) => description)).toContain(wanted);
  });
});
