import { IDEMPOTENCY_KEY_HEADER, MANAGEMENT_KEY_HEADER, type Agent } from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import type { RateLimiter } from '../../rate-limit/rate-limiter.ts';
import { createTaskQueue } from '../../rate-limit/task-queue.ts';
import type { Context } from '../../trpc.ts';
import { etagOf, holdsEtag, toEtagHeader } from '../cache/etags.ts';

/** The part of a context that depends on where the response goes. */
export type ContextOutput = Pick<Context, 'setHeader' | 'setStatus' | 'countView'>;

/** Creates the context of the procedures that a request runs. */
export type CreateContext = (request: FastifyRequest, output: ContextOutput) => Context;

/** Most searches that run at once. */
const MAX_SEARCHES = 4;

/** Creates contexts over the stores of the application, in which clients take turns to search. */
export function createContexts(
  services: Pick<Context, 'agents' | 'views' | 'registration' | 'websiteClaims'>,
  { rateLimiter, toOrigin }: { rateLimiter: RateLimiter; toOrigin: (request: FastifyRequest) => string },
): CreateContext {
  const { agents } = services;
  const searchInTurn = createTaskQueue(MAX_SEARCHES);
  return (request, output) => ({
    ...services,
    ...output,
    agents: {
      ...agents,
      search: (search) => searchInTurn(() => agents.search(search), { address: request.ip }),
      // It searches, too.
      countFacets: (list) => searchInTurn(() => agents.countFacets(list), { address: request.ip }),
    },
    origin: toOrigin(request),
    idempotencyKey: readHeader(request, IDEMPOTENCY_KEY_HEADER),
    key: /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1],
    newKey: readHeader(request, MANAGEMENT_KEY_HEADER),
    isExpected: (agent) => holdsEtag(request.headers['if-match'], etagOfAgent(agent)),
    setEtag: (agent) => output.setHeader('ETag', toEtagHeader(etagOfAgent(agent), 'identity')),
    countWrongKey: (id) =>
      rateLimiter.consume('wrongKey', request, { header: (name, value) => output.setHeader(name, String(value)) }, id),
  });
}

function readHeader(request: FastifyRequest, name: string): string | undefined {
  return request.headers[name.toLowerCase()]?.toString();
}

/** The ETag of the JSON of an agent, as the response cache makes it. */
function etagOfAgent(agent: Agent): string {
  return etagOf(Buffer.from(JSON.stringify(agent)));
}
