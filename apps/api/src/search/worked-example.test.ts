import { readFile } from 'node:fs/promises';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { expect, onTestFinished, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { engines } from '../testing/engines.ts';
import { analyze } from './analyze.ts';
import { narrow } from './narrow.ts';
import { page } from './page.ts';
import { plan, type Plan } from './plan.ts';
import type { TokenQuery } from './token-index.ts';
import { createVocabularyReader } from './vocabulary-reader.ts';

const EXAMPLE = new URL('../../../../docs/search.md', import.meta.url);

const agents = [
  { name: 'Front Desk' },
  { name: 'Front Desk Pro', pricingModel: 'paid' as const },
  { name: 'Night Porter', description: 'Answers at the front desks of hotels.' },
  { name: 'Front Helpdesk' },
  { name: 'Front Door', pricingModel: 'paid' as const },
  { name: 'Desk Lamp' },
].map((fields, index) => makeAgent({ description: 'x', ...fields, createdAt: `2026-01-0${index + 1}T00:00:00.000Z` }));

test('the worked example in docs/search.md shows what a search does', async () => {
  const database = await engines[0].open();
  onTestFinished(() => database.remove());
  await createAgentStore(database.engine).load(agents);
  const index = database.openTokenReader();
  const nameOf = (seq: number) => agents[seq - 1]?.name ?? '';

  const whole = await plan(index, { text: 'Front desk', correct: true }, createVocabularyReader(index));
  const free = await narrow(index, whole, { pricing: ['free'] });
  const hits = await page(index, free, { limit: 2 });
  const found = await Promise.all(whole.tiers.map(({ queryForRest }) => index.match(queryForRest, { limit: 9 })));

  const describePlan = ({ typed, all, extras: { corrected, partial } }: Plan) =>
    [
      `typed      ${typed.total} agents`,
      `all        ${all.total} agents`,
      `corrected  ${corrected.map(nameOf).join(', ') || 'none'}`,
      `partial    ${partial.map(nameOf).join(', ') || 'none'}`,
    ].join('\n');
  const tiers = whole.tiers.map(({ query }, at) => {
    const seqs = found[at] ?? [];
    const names = seqs.length > 0 ? `   → ${seqs.map(nameOf).join(', ')}` : '';
    return `${String(at + 1).padStart(2)}  ${describeQuery(query)}${names}`;
  });
  const blocks = [
    analyze('Front desk')
      .map(({ terms }) => terms.map(({ text }) => text).join(' '))
      .join('\n'),
    tiers.join('\n'),
    `${describePlan(whole)}\nwords      ${whole.words.join(', ')}`,
    describePlan(free),
    `seqs       ${hits?.seqs.map(nameOf).join(', ')}\nhasMore    ${hits?.hasMore}\nposition   ${hits?.position}`,
  ];
  const document = await readFile(EXAMPLE, 'utf8');
  expect([...document.matchAll(/```text\n(.*?)\n```/gs)].map(([, block]) => block)).toEqual(blocks);
});

function describeQuery(query: TokenQuery): string {
  if ('token' in query) return query.token + (query.isPrefix ? '*' : '');
  if ('all' in query) return query.all.map(describeInner).join(' & ');
  if ('any' in query) return query.any.map(describeInner).join(' | ');
  return `${describeInner(query.find)} without ${describeInner(query.without)}`;
}

function describeInner(query: TokenQuery): string {
  return 'token' in query ? describeQuery(query) : `(${describeQuery(query)})`;
}
