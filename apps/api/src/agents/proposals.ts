import { isDeepStrictEqual } from 'node:util';
import {
  editableFields,
  keepTools,
  type Agent,
  type AgentPatch,
  type EditableField,
  type NewAgent,
} from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { walkChunks, toRecord } from '../db/records.ts';
import type { FieldsOf } from '../db/record-kinds.ts';
import { mergePatch } from './edit-agent.ts';
import type { Tables } from '../db/tables.ts';

/** How long a decided proposal is kept, in milliseconds: a release can be taken back, and a refusal read. */
export const DECIDED_PERIOD = 90 * 86_400_000;

export type Proposal = FieldsOf<'proposal'>;

export async function readProposals(db: Kysely<Tables>, ids: readonly string[]): Promise<Proposal[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('proposed_versions').selectAll().where('agent_id', 'in', ids).execute();
  return rows.map((row) => toRecord('proposal', row));
}

/** Reads the proposal of an agent that its owner sees: one that waits or was refused. */
export async function findOpenProposal(db: Kysely<Tables>, id: string): Promise<Proposal | undefined> {
  const [proposal] = await readProposals(db, [id]);
  return proposal?.state === 'released' ? undefined : proposal;
}

export async function removeProposal(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('proposed_versions').where('agent_id', '=', id).execute();
}

/**
 * Deletes the proposals that were decided 90 days ago or before.
 * @param time the time, in milliseconds since 1970
 */
export async function forgetDecided(db: Kysely<Tables>, time: number): Promise<void> {
  await db
    .deleteFrom('proposed_versions')
    .where('state', '!=', 'waiting')
    .where('since', '<=', new Date(time - DECIDED_PERIOD).toISOString())
    .execute();
}

/** Streams the proposals of a state in chunks of one statement each, by the ids of their agents. */
export async function* streamProposals(db: Kysely<Tables>, state: Proposal['state']) {
  const proposals = db.selectFrom('proposed_versions').selectAll().where('state', '=', state);
  for await (const rows of walkChunks(proposals, ['agent_id'])) yield rows.map((row) => toRecord('proposal', row));
}

/** The agent as its owner sees it: with the proposed changes. */
export function toProposedVersion(agent: Agent, proposal: Pick<Proposal, 'patch'> | undefined): Agent {
  return proposal ? mergePatch(agent, proposal.patch) : agent;
}

/** The fields in which one version of an agent differs from another, with their values. */
export function differenceOf(before: NewAgent, after: NewAgent): AgentPatch {
  const wanted = { ...after, connections: keepTools(after.connections, before.connections) };
  const changed = editableFields.filter((field) => !isDeepStrictEqual(before[field], wanted[field]));
  return pick(after, changed);
}

/** The changes of these fields; null stands for a field that an agent does not have. */
export function pick(values: AgentPatch, fields: readonly EditableField[]): AgentPatch {
  return Object.fromEntries(fields.map((field) => [field, values[field] ?? null])) as AgentPatch;
}

export function fieldsOf(patch: AgentPatch): EditableField[] {
  return editableFields.filter((field) => Object.hasOwn(patch, field));
}
