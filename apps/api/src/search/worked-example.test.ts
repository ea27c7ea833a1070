import { readFile } from 'node:fs/promises';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { expect, onTestFinished, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { engines } from '../testing/engines.ts';
import { toMatchedWords, explainScore } from './describe-results.ts';
import { matchAll } from './candidates.ts';
import { page } from './search.ts';

import { plan, rank, type Ranked } from './plan.ts';
import type { TokenQuery } from './agent-tokens.ts';
import { createVocabularyReader } from './vocabulary.ts';

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
  const { query, scoring } = whole;
  if (!query || !scoring) throw new Error('The example has words.');
  const everything = await rank(index, whole, {});
  const free = await rank(index, whole, { pricing: ['free'] });
  const hits = await page(index, free, { limit: 2 });

  const describeResults = ({ first, full, total }: Ranked) =>
    [
      `full   ${full} of ${total}`,
      ...first.map((scored) => {
        const parts = explainScore(scored, scoring)
          .map(({ text }) => text)
          .join('; ');
        return `${String(scored.score).padStart(5)}  ${nameOf(scored.agent.seq).padEnd(15)} ${parts}`;
      }),
    ].join('\n');
  const blocks = [
    query.chunks.map(({ terms }) => terms.map(({ text }) => text).join(' ')).join('\n'),
    [`typed  ${describeQuery(matchAll(query, 'typed'))}`, `forms  ${describeQuery(matchAll(query, 'forms'))}`].join(
      '\n',
    ),
    describeResults(everything),
    `${describeResults(free)}\nwords  ${toMatchedWords(query, free.first).join(', ')}`,
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
