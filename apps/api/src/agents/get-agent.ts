import { AGENT_WITHDRAWN, WRONG_KEY, type Agent } from '@agent-registry/contracts';
import { RegistryError } from '../registry-error.ts';
import type { Context } from '../trpc.ts';
import type { AgentStore } from '../stores.ts';
import type { Refusal } from './find-owned.ts';

/**
 * Reads a listed agent.
 * @throws {RegistryError} if no listed agent has the id
 */
export async function getAgent(agents: Pick<AgentStore, 'find' | 'isWithdrawn'>, id: string): Promise<Agent> {
  const agent = await agents.find(id);
  if (!agent) throw await toMissingError(agents, id);
  return agent;
}

export async function toMissingError(agents: Pick<AgentStore, 'isWithdrawn'>, id: string): Promise<RegistryError> {
  return toRefusalError((await agents.isWithdrawn(id)) ? 'withdrawn' : 'unknown');
}

/**
 * Passes on the result of an owner's call; a wrong key is counted.
 * @throws {RegistryError} if it was refused
 */
export async function orRefuse<Result extends object>(
  { address, key, rateLimiter }: Pick<Context, 'address' | 'key' | 'rateLimiter'>,
  id: string,
  result: Result | Refusal,
): Promise<Result> {
  if (typeof result !== 'string') return result;
  // Also for an agent that is not listed: it must look like one that does not exist.
  const isWrongKey = result === 'unauthorized' || (result === 'unknown' && key !== undefined);
  throw toRefusalError(result, isWrongKey ? await rateLimiter.consume('wrongKey', address, { id }) : {});
}

export function toRefusalError(refusal: Refusal, headers: Record<string, string> = {}): RegistryError {
  switch (refusal) {
    case 'unknown':
      return new RegistryError('not-found', 'No agent has this id', { headers });
    case 'withdrawn':
      return new RegistryError('gone', AGENT_WITHDRAWN);
    case 'unauthorized':
      return new RegistryError('unauthorized', WRONG_KEY, { headers: { 'WWW-Authenticate': 'Bearer', ...headers } });
    case 'unexpected':
      return new RegistryError(
        'changed',
        'The agent has changed since you read it. Read it again and repeat the change',
      );
  }
}
