import { expect, test } from 'vitest';
import { getQueryKey } from '@trpc/react-query';
import { makeAgent } from '../../test/make-agent.ts';
import { renderHook } from '../../test/render.tsx';
import { trpc } from '../../trpc.ts';
import { useListedAgent } from './use-listed-agent.ts';

test('an agent is found in whichever list it was read with', () => {
  const [first, second] = [makeAgent(), makeAgent()];
  const { result } = renderHook(() => [second.id, crypto.randomUUID()].map(useListedAgent), {
    entries: [
      [getQueryKey(trpc.agents.get, { id: first.id }, 'query'), first],
      [getQueryKey(trpc.agents.list, undefined, 'infinite'), { pages: [{ agents: [first] }], pageParams: [] }],
      [
        getQueryKey(trpc.agents.byCategory, { category: 'vision' }, 'infinite'),
        { pages: [{ agents: [first] }, { agents: [second] }], pageParams: [] },
      ],
    ],
  });
  expect(result.current).toEqual([second, undefined]);
});
