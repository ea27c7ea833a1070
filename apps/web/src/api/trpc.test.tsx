import { expect, test } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { useQueryClient } from '@tanstack/react-query';
import { queries, renderHook } from '../testing/render.tsx';
import { readCachedAgents } from './trpc.ts';

test('the agents of every cached list are found, and of no other entry', () => {
  const [first, second] = [makeAgent(), makeAgent()];
  const { result } = renderHook(() => readCachedAgents(useQueryClient()), {
    entries: [
      [queries.agents.get.queryOptions({ id: first.id }).queryKey, first],
      [['all'], { pages: [{ agents: [first] }], pageParams: [] }],
      [['vision'], { pages: [{ agents: [first] }, { agents: [second] }], pageParams: [] }],
    ],
  });
  expect(result.current).toEqual([first, first, second]);
});
