import { randomUUID } from 'node:crypto';
import type { Agent, NewAgent } from '@agent-registry/contracts';
import { tell, writeAgents } from '../agents/agent-rows.ts';
import { findState, toOwnVersion, type OwnedState } from '../agents/find-owned.ts';
import { proveWebsite, writeOwnersEdit } from '../agents/owner-changes.ts';
import { differenceOf, fieldsOf } from '../agents/proposals.ts';
import { addUnlisted } from '../agents/unlisted-agents.ts';
import type { Engine } from '../db/engine.ts';
import { writeRecords } from '../db/records.ts';
import { toRegistry } from '../operator/listeners.ts';
import { RegistryError } from '../registry-error.ts';
import { assignNames, hashName, readKey } from '../servers/name-rows.ts';
import { toBasis } from '../servers/server-documents.ts';
import { compareVersions } from '../sync/crawl-source.ts';
import { provesWebsite } from '../website-check/domain-keys.ts';
import {
  ACTOR,
  bringBack,
  findEntry,
  touch,
  type PublisherEntry,
  type Publishing,
  type Writing,
} from './find-entry.ts';
import { readOwnPublications, type Publication } from './publications.ts';
import { toNewAgent, type PublishedServer } from './read-published.ts';
import { writeStatus, type StatusChange } from './write-status.ts';

export type PublicationStore = ReturnType<typeof createPublicationStore>;

export function createPublicationStore(engine: Engine, onRegistered: () => void = () => {}) {
  const registry = toRegistry(engine);
  const { db } = engine;
  const inTransaction = <Result>(publishing: Publishing, write: (writing: Writing) => Promise<Result>) =>
    db.transaction().execute(async (transaction) => {
      await registry.lockWrites(transaction);
      return write({ registry, transaction, publishing, now: Date.now() });
    });
  return {
    db,
    namespace: engine.serverNamespace ?? '',

    find: (name: string) => findEntry(db, name),

    /** The domain that publishes an agent without a management key. */
    async domainOf(id: string): Promise<string | undefined> {
      return (await readOwnPublications(db, [id])).get(id)?.domain;
    },

    /** Registers a server, or changes the entry that it has. Returns whether it waits for review. */
    async publish(server: PublishedServer, publishing: Publishing): Promise<boolean> {
      const { isNew, isHeld } = await inTransaction(publishing, (writing) => writePublished(writing, server));
      if (isNew) onRegistered();
      return isHeld;
    },

    setStatus: (name: string, change: StatusChange, publishing: Publishing) =>
      inTransaction(publishing, (writing) => writeStatus(writing, name, change)),
  };
}

async function writePublished(writing: Writing, server: PublishedServer) {
  const { transaction, publishing } = writing;
  const entry = await findEntry(transaction, server.name);
  if (!entry) return { isNew: true, isHeld: await register(writing, server) };
  const { publication, owned } = entry;
  // The same content lists a withdrawn entry again.
  const isChange = !publication || isNewer(server, publication) || !owned;
  if (isChange) return { isNew: false, isHeld: await change(writing, entry, server) };
  await writeRecords(transaction, 'publication', [{ ...publication, domain: publishing.publisher.domain }]);
  return { isNew: false, isHeld: publication.pending !== undefined };
}

const SEMVER = /^\d+\.\d+\.\d+(?:-[\dA-Za-z.-]+)?(?:\+[\dA-Za-z.-]+)?$/;

/**
 * Whether a version follows the one that was published last; false for the same content again.
 * @throws {RegistryError} `invalid` for an earlier version, and for the same one with other content
 */
function isNewer({ version, content }: PublishedServer, last: Publication): boolean {
  const isSame = version === last.version;
  if (isSame && content === last.content) return false;
  // Of others than semver nobody knows the order.
  const isKnown = [version, last.version].every((text) => SEMVER.test(text));
  if (!isSame && (!isKnown || compareVersions(version, last.version) > 0)) return true;
  const reason = isSame ? 'is published with other content' : `is not later than ${last.version}`;
  throw new RegistryError('invalid', `Version ${version} ${reason}: raise the version`);
}

async function register(writing: Writing, server: PublishedServer): Promise<boolean> {
  const { registry, transaction, publishing, now } = writing;
  const { publisher, sharedHosts, review, closed } = publishing;
  if (closed !== undefined) throw new RegistryError('unavailable', closed);
  const createdAt = new Date(now).toISOString();
  const fields = toNewAgent(server, undefined, registry.categories);
  const isProved = provesWebsite(publisher, fields.website, sharedHosts);
  const proof = isProved && ({ websiteCheckedAt: createdAt, websiteProof: 'key' } as const);
  const agent: Agent = { id: randomUUID(), ...fields, rating: 0, reviewCount: 0, createdAt, ...proof };
  // Before the agent is listed, so that it is described and named so.
  await writePublication(writing, agent, server);
  if (!review) await writeAgents(registry, transaction, [{ agent }], { actor: ACTOR });
  else {
    await addUnlisted(registry, transaction, [{ agent }], { state: 'held', reason: '', since: createdAt });
    await tell(registry, transaction, { type: 'held', agents: [{ agent }] });
  }
  return review !== undefined;
}

async function change(writing: Writing, entry: PublisherEntry, server: PublishedServer): Promise<boolean> {
  const { registry, transaction, publishing, now } = writing;
  const owned = entry.owned ?? (await bringBack(writing, entry));
  const current = toOwnVersion(owned);
  const wanted = toNewAgent(server, current, registry.categories);
  const patch = differenceOf(current, wanted);
  await writePublication(writing, { ...current, ...wanted }, server);
  const isEdited = fieldsOf(patch).length > 0;
  const { isHeld } = isEdited
    ? await writeOwnersEdit(registry, transaction, owned, patch, { review: publishing.review, now, actor: ACTOR })
    : { isHeld: owned.state !== 'listed' || owned.proposal !== undefined };
  const state = await findState(transaction, current.id);
  if (typeof state === 'string') return isHeld;
  await prove(writing, state);
  // So that readers of changes see the version, and the history says whose the entry is.
  if (!isEdited || isHeld || !entry.publication) await touch(writing, current.id);
  return isHeld;
}

async function prove(
  { registry, transaction, publishing: { publisher, sharedHosts }, now }: Writing,
  { stored: { agent }, state }: OwnedState,
): Promise<void> {
  if (agent.websiteProof !== undefined || !provesWebsite(publisher, agent.website, sharedHosts)) return;
  if (state === 'listed') await proveWebsite(registry, transaction, agent.id, { proof: 'key', now });
  else {
    const owned: Agent = { ...agent, websiteCheckedAt: new Date(now).toISOString(), websiteProof: 'key' };
    const unlisted = transaction.updateTable('unlisted_agents').where('id', '=', agent.id);
    await unlisted.set({ agent: JSON.stringify(owned) }).execute();
  }
}

/** Writes what is published of an agent, and gives it the name. */
async function writePublication(
  { transaction, publishing: { publisher, review }, now }: Writing,
  agent: NewAgent & { id: string },
  { name, version, content, document }: PublishedServer,
): Promise<void> {
  const pending = {
    version,
    status: 'active',
    // A review is of the agent: what else a description has nobody has looked at.
    document: review ? null : document,
    basis: toBasis(agent),
    publishedAt: new Date(now).toISOString(),
  } as const;
  const publication = { agentId: agent.id, name, domain: publisher.domain, version, content, pending };
  await writeRecords(transaction, 'publication', [publication]);
  const names = transaction.selectFrom('server_names').select('name').where('agent_id', '=', agent.id);
  const present = await names.where('given_up_at', 'is', null).executeTakeFirst();
  if (present?.name === name) return;
  const hash = hashName(await readKey(transaction), name);
  await assignNames(transaction, [{ agentId: agent.id, name, hash, isChosen: true }]);
}
