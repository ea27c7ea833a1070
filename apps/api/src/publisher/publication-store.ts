import { randomUUID } from 'node:crypto';
import type { Agent, NewAgent, WebsiteProof } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { tell, writeAgents, type Registry } from '../agents/agent-rows.ts';
import { findState, toOwnVersion, type OwnedState } from '../agents/find-owned.ts';
import { proveWebsite, writeOwnersEdit } from '../agents/owner-changes.ts';
import { differenceOf, fieldsOf } from '../agents/proposals.ts';
import { addUnlisted } from '../agents/unlisted-agents.ts';
import { writeRecords } from '../db/records.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import { toRegistry } from '../operator/listeners.ts';
import { RegistryError } from '../registry-error.ts';
import { assignNames, hashName, readKey } from '../servers/name-rows.ts';
import { isOfPublisher, readPublications, type Publication } from '../servers/publications.ts';
import { toBasis } from '../servers/server-documents.ts';
import { findEntry, type PublisherEntry } from './find-entry.ts';
import { ACTOR, bringBack, touch, type Published, type Publishing } from './publishing.ts';
import { writeStatus, type StatusChange } from './write-status.ts';

/** What a publisher sends of a server. */
export type PublishedServer = Pick<Publication, 'name' | 'version' | 'content'> & {
  /** Its description as it was sent; null if it must not be served so. */
  document: string | null;
  /** The agent that it describes, with what an entry of it has already. */
  readAgent: (entry: Agent | undefined) => NewAgent;
};

/** Stores what publishers say of servers. */
export type PublicationStore = ReturnType<typeof createPublicationStore>;

/** Creates the store of publishers over a database. */
export function createPublicationStore(engine: Engine, onRegistered: () => void = () => {}) {
  const now = () => Date.now();
  const registry = toRegistry(engine);
  const { db } = engine;
  return {
    db,
    namespace: engine.serverNamespace ?? '',

    /** Finds the entry of a name, as `findEntry` does. */
    find: (name: string) => findEntry(db, name),

    /** The domain that publishes an agent without a management key. */
    async domainOf(id: string): Promise<string | undefined> {
      return (await readPublications(db, [id], isOfPublisher)).get(id)?.domain;
    },

    /** Registers a server, or changes the entry that it has. */
    async publish(server: PublishedServer, publishing: Publishing): Promise<Published> {
      const { isNew, ...published } = await inTransaction(registry, async (transaction) => {
        const entry = await findEntry(transaction, server.name);
        const writing = { server, publishing, now: now() };
        if (!entry) return { ...(await register(registry, transaction, writing)), isNew: true };
        const { publication } = entry;
        // The same content lists a withdrawn entry again.
        if (!publication || isNewer(server, publication) || entry.withdrawn) {
          return { ...(await change(registry, transaction, entry, writing)), isNew: false };
        }
        const same = { ...publication, domain: publishing.domain };
        await writeRecords(transaction, 'publication', [same]);
        return { publication: same, isHeld: publication.pending !== undefined, isNew: false };
      });
      if (isNew) onRegistered();
      return published;
    },

    /** Changes the status of a version, or of all of them. */
    setStatus: (target: { name: string; version: string | undefined }, given: StatusChange, publishing: Publishing) =>
      inTransaction(registry, (transaction) =>
        writeStatus(registry, transaction, { ...target, given, publishing, now: now() }),
      ),
  };
}

function inTransaction<Result>(registry: Registry, write: (transaction: Kysely<Tables>) => Promise<Result>) {
  return registry.db.transaction().execute(async (transaction) => {
    await registry.lockWrites(transaction);
    return write(transaction);
  });
}

/**
 * Whether a version follows the one that was published last; false for the same content again.
 * @throws {RegistryError} `invalid` for an earlier version, and for the same one with other content
 */
function isNewer({ version, content }: PublishedServer, last: Publication): boolean {
  const isSame = version === last.version;
  if (isSame && content === last.content) return false;
  if (!isSame && compareVersions(version, last.version) > 0) return true;
  const reason = isSame ? 'is published with other content' : `is not later than ${last.version}`;
  throw new RegistryError('invalid', `Version ${version} ${reason}: raise the version`);
}

const { compare } = new Intl.Collator('en', { numeric: true });

/** Compares two versions as semver does. Of others the first one is later: nobody knows their order. */
function compareVersions(version: string, other: string): number {
  const parse = (text: string) => /^(\d+\.\d+\.\d+)(?:-([\dA-Za-z.-]+))?(?:\+[\dA-Za-z.-]+)?$/.exec(text);
  const [one, two] = [parse(version), parse(other)];
  if (!one || !two) return 1;
  const [, core = '', words = ''] = one;
  const [, otherCore = '', otherWords = ''] = two;
  // Without words it is the release.
  return compare(core, otherCore) || Number(words === '') - Number(otherWords === '') || compare(words, otherWords);
}

type Writing = { server: PublishedServer; publishing: Publishing; now: number };

async function register(
  registry: Registry,
  transaction: Kysely<Tables>,
  { server, publishing: { domain, proves, review, closed }, now }: Writing,
): Promise<Published> {
  if (closed !== undefined) throw new RegistryError('unavailable', closed);
  const at = new Date(now).toISOString();
  const fields = server.readAgent(undefined);
  const proof = proves(fields.website) && ({ websiteCheckedAt: at, websiteProof: 'key' } as const);
  const agent: Agent = { id: randomUUID(), ...fields, rating: 0, reviewCount: 0, createdAt: at, ...proof };
  // Before the agent is listed, so that it is described and named so.
  const publication = await writePublication(transaction, agent, { server, domain, review, at });
  if (!review) await writeAgents(registry, transaction, [{ agent }], { actor: ACTOR });
  else {
    await addUnlisted(registry, transaction, [{ agent }], { state: 'held', reason: '', since: at });
    await tell(registry, transaction, { type: 'held', agents: [{ agent }] });
  }
  return { publication, isHeld: review !== undefined };
}

async function change(
  registry: Registry,
  transaction: Kysely<Tables>,
  entry: PublisherEntry,
  { server, publishing: { domain, proves, review }, now }: Writing,
): Promise<Published> {
  const owned = entry.owned ?? (await bringBack(registry, transaction, entry));
  const current = toOwnVersion(owned);
  const wanted = server.readAgent(current);
  const patch = differenceOf(current, wanted);
  const at = new Date(now).toISOString();
  const publication = await writePublication(transaction, { ...current, ...wanted }, { server, domain, review, at });
  const isEdited = fieldsOf(patch).length > 0;
  const { isHeld } = isEdited
    ? await writeOwnersEdit(registry, transaction, owned, patch, { review, now, actor: ACTOR })
    : { isHeld: owned.state !== 'listed' || owned.proposal !== undefined };
  const state = await findState(transaction, entry.id);
  if (typeof state === 'string') return { publication, isHeld };
  await prove(registry, transaction, state, { proves, now });
  // So that readers of changes see the version, and the history says whose the entry is.
  const isTold = isEdited && !isHeld && entry.publication !== undefined;
  if (state.state === 'listed' && !isTold) await touch(registry, transaction, entry.id, now);
  return { publication, isHeld };
}

async function prove(
  registry: Registry,
  transaction: Kysely<Tables>,
  { stored: { agent }, state }: OwnedState,
  { proves, now }: { proves: Publishing['proves']; now: number },
): Promise<void> {
  if (agent.websiteProof !== undefined || !proves(agent.website)) return;
  const proof: WebsiteProof = 'key';
  if (state === 'listed') await proveWebsite(registry, transaction, agent.id, { proof, now });
  else {
    const owned = { ...agent, websiteCheckedAt: new Date(now).toISOString(), websiteProof: proof };
    const unlisted = transaction.updateTable('unlisted_agents').where('id', '=', agent.id);
    await unlisted.set({ agent: JSON.stringify(owned) }).execute();
  }
}

/** Writes what is published of an agent, and gives it the name. */
async function writePublication(
  transaction: Kysely<Tables>,
  agent: NewAgent & { id: string },
  { server, domain, review, at }: { server: PublishedServer; domain: string; review: unknown; at: string },
): Promise<Publication> {
  const { name, version, content, document } = server;
  const publication: Publication = {
    agentId: agent.id,
    name,
    domain,
    version,
    content,
    // A review is of the agent: what else a description has nobody has looked at.
    pending: { version, status: 'active', document: review ? null : document, basis: toBasis(agent), publishedAt: at },
  };
  await writeRecords(transaction, 'publication', [publication]);
  const hash = hashName(await readKey(transaction), name);
  const present = await transaction
    .selectFrom('server_names')
    .select('name')
    .where('agent_id', '=', agent.id)
    .where('given_up_at', 'is', null)
    .executeTakeFirst();
  if (present?.name !== name) await assignNames(transaction, [{ agentId: agent.id, name, hash, isChosen: true }]);
  return publication;
}
