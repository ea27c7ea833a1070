import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import type { SearchSession } from '../../search/search.ts';
import { createContexts } from './context.ts';

test('all calls of a request share a session of searches, and those of another request have their own', async () => {
  const sessions: (SearchSession | undefined)[] = [];
  const note = async ({ session }: { session?: SearchSession | undefined }) => {
    sessions.push(session);
  };
  const rateLimiter = { charge: async () => {} };
  const services = { agents: { search: note, countFacets: note }, rateLimiter } as unknown as Parameters<
    typeof createContexts
  >[0];
  const createContext = createContexts(services, () => '');
  const makeRequest = () => ({ headers: {}, method: 'POST', routeOptions: { config: {} } }) as FastifyRequest;
  const [one, other] = [makeRequest(), makeRequest()];
  await createContext(one).agents.search({ text: 'otter' });
  await createContext(one).agents.countFacets({ text: 'otter' });
  await createContext(other).agents.search({ text: 'otter' });
  const [first, second, third] = sessions;
  expect(first?.plans).toBeInstanceOf(Map);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});
