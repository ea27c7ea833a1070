import { expect, test } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { queries, renderHook } from '../../testing/render.tsx';
import { useCachedAgent } from './use-cached-agent.ts';

test('an agent is found in any cached list', () => {
  const [first, second] = [makeAgent(), makeAgent()];
  const { result } = renderHook(() => [second.id, crypto.randomUUID()].map(useCachedAgent), {
    entries: [
      [queries.agents.get.queryOptions({ id: first.id }).queryKey, first],
      [['all'], { pages: [{ agents: [first] }], pageParams: [] }],
      [['vision'], { pages: [{ agents: [first] }, { agents: [second] }], pageParams: [] }],
    ],
  });
  expect(result.current).toEqual([second, undefined]);
});
