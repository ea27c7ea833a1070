import type { Agent } from '@agent-registry/contracts';
import { etagOf } from '../etag.ts';

/**
 * The version of an agent that a client wants to change: one with one of these ETags and none of the others (`*`: of no
 * agent that exists), or with this time of its last edit, empty for none.
 */
export type ExpectedVersion =
  | { etags: readonly string[] | undefined; otherEtags?: readonly string[] | '*' | undefined }
  | { updatedAt: string };

/** Whether an agent is as the client expects. */
export function isExpected(agent: Agent, expected: ExpectedVersion | undefined): boolean {
  if (expected === undefined) return true;
  if ('updatedAt' in expected) return expected.updatedAt === (agent.updatedAt ?? '');
  const { etags, otherEtags } = expected;
  const etag = etagOfAgent(agent);
  return (etags?.includes(etag) ?? true) && otherEtags !== '*' && !otherEtags?.includes(etag);
}

/** The ETag header of a response to the owner of an agent. */
export function toEtagHeader(agent: Agent): string {
  return `"${etagOfAgent(agent)}"`;
}

/** The ETag of the JSON of an agent, as the response cache makes it. */
function etagOfAgent(agent: Agent): string {
  return etagOf(JSON.stringify(agent));
}
