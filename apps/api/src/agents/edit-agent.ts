import {
  applyPatch,
  findRepository,
  hostOf,
  keepTools,
  normalizeEscapes,
  type Agent,
  type AgentPatch,
  type ChangeActor,
  type WebsiteProof,
} from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { rewriteAgent, type Registry, type StoredAgent } from './agent-rows.ts';

/** Applies changes to a listed agent, as part of a transaction: an owner's, released ones and the operator's. */
export async function editListed(
  registry: Registry,
  transaction: Kysely<Tables>,
  { agent, ...stored }: StoredAgent,
  patch: AgentPatch,
  { actor, now }: { actor: ChangeActor; now: number },
): Promise<Agent> {
  const updated = { ...mergePatch(agent, patch), updatedAt: nextTime(now, agent.updatedAt) };
  await rewriteAgent(registry, transaction, { ...stored, agent: updated }, { before: agent, actor });
  return updated;
}

/** Applies changes to an agent that is not listed, as part of a transaction. Its history begins with its listing. */
export async function editUnlisted(transaction: Kysely<Tables>, agent: Agent, patch: AgentPatch): Promise<Agent> {
  const updated = mergePatch(agent, patch);
  await transaction
    .updateTable('unlisted_agents')
    .set({ agent: JSON.stringify(updated) })
    .where('id', '=', agent.id)
    .execute();
  return updated;
}

/** Applies changes to the fields of an agent. A proof of its website counts for the same host, page or repository only. */
export function mergePatch(agent: Agent, patch: AgentPatch): Agent {
  const { websiteCheckedAt, websiteProof, ...rest } = agent;
  const fields = applyPatch(agent, patch);
  const isSame = provedPart(fields.website, websiteProof) === provedPart(agent.website, websiteProof);
  const connections = keepTools(fields.connections, agent.connections);
  const proof = isSame && websiteCheckedAt !== undefined && { websiteCheckedAt, websiteProof };
  return { ...rest, ...fields, connections, ...proof };
}

/** The time, or a millisecond after an earlier time if that is later: ISO 8601 in UTC. */
export function nextTime(now: number, earlier?: string): string {
  return new Date(Math.max(now, earlier === undefined ? 0 : Date.parse(earlier) + 1)).toISOString();
}

/** The part of a website that its owner was seen to control: beside a page, others on its host may be of somebody else. */
function provedPart(website: string | null, proof: WebsiteProof | undefined): string | undefined {
  const url = website === null ? null : URL.parse(website);
  if (!url) return website ?? undefined;
  const repository = proof === 'repository' ? findRepository(url.href) : undefined;
  if (repository) return repository.name.toLowerCase();
  const { href, port, pathname, search } = url;
  return [hostOf(href), port, proof === 'host' || proof === 'key' ? '' : normalizeEscapes(pathname + search)].join(' ');
}
