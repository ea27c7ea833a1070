import type { Agent } from '@agent-registry/contracts';
import { etagOf } from '../etag.ts';

/** The version of an agent that a client wants to change: one of its ETags, or the time of its last edit, if any. */
export type ExpectedVersion = { etags: readonly string[] } | { updatedAt: string };

/** Whether an agent is as the client expects. */
export function isExpected(agent: Agent, expected: ExpectedVersion | undefined): boolean {
  if (expected === undefined) return true;
  return 'etags' in expected
    ? expected.etags.includes(etagOfAgent(agent))
    : expected.updatedAt === (agent.updatedAt ?? '');
}

/** The ETag header of a response to the owner of an agent. */
export function toEtagHeader(agent: Agent): string {
  return `"${etagOfAgent(agent)}"`;
}

/** The ETag of the JSON of an agent, as the response cache makes it. */
function etagOfAgent(agent: Agent): string {
  return etagOf(JSON.stringify(agent));
}
