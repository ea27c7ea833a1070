import { isDeepStrictEqual } from 'node:util';
import {
  describeConnection,
  MAX_KEPT_TOOLS,
  type Connection,
  type HistoryEntry,
  type Offer,
  type OfferFacts,
  type Tool,
  type ToolsChange,
} from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { rewriteTokens, tell, toStored, type Registry } from '../agents/agent-rows.ts';
import { readToolWords } from '../agents/tool-words.ts';
import { logChange } from '../changes/change-log.ts';
import type { FieldsOf } from '../db/record-kinds.ts';
import { chunksOf, toRecord, writeRecords } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';

/** What a connection of an agent offers, as a check read it. */
export type OfferRecord = FieldsOf<'offer'>;
type Place = Pick<OfferRecord, 'agentId' | 'address'>;

/** After so many changes in a row tools change with every answer, until two equal ones. */
const RESTLESS = 3;
const ONE_EQUAL = -1;
/** Most tools of a change that are named, of each kind. */
const MAX_NAMED = 30;

export async function readOffers(db: Kysely<Tables>, agentIds: readonly string[]): Promise<OfferRecord[]> {
  const rows = await db
    .selectFrom('connection_offers')
    .selectAll()
    .where('agent_id', 'in', agentIds)
    .orderBy('agent_id')
    .orderBy('address')
    .execute();
  return rows.map((row) => toRecord('offer', row));
}

/**
 * Keeps what a connection of a listed agent offers. An equal offer writes its time alone, which changes no version; a
 * change of tools goes into the log, unless they change with every answer.
 */
export async function keepOffer(
  registry: Registry,
  { agentId, address }: Place,
  offer: Offer,
  { at, isHeld }: { at: string; isHeld: boolean },
): Promise<void> {
  const { db } = registry;
  const known = (await readOffers(db, [agentId])).find((one) => one.address === address);
  const isCompared = known?.offer.hash !== undefined && offer.hash !== undefined;
  const isChanged = isCompared && known.offer.hash !== offer.hash;
  const streak = isCompared ? toStreak(known.streak, isChanged) : (known?.streak ?? 0);
  if (known && isDeepStrictEqual(known.offer, offer)) {
    const row = db.updateTable('connection_offers').where('agent_id', '=', agentId).where('address', '=', address);
    // A release can be taken back until then.
    const review = known.review === 'released' ? null : (known.review ?? null);
    await row.set({ read_at: at, streak, review }).execute();
    return;
  }
  const review = toReview(known, offer, isHeld);
  const isLogged = isChanged && known.streak >= 0 && known.streak < RESTLESS;
  const isRestless = streak === RESTLESS;
  // A change of texts that wait says no names.
  const isNamed = !isRestless && [known?.review, review].every((one) => one === undefined || one === 'released');
  const tools = isLogged
    ? {
        connection: address,
        hash: offer.hash as string,
        ...compareTools(known.offer.tools, isNamed ? offer.tools : known.offer.tools),
        ...(isRestless && { isRestless }),
      }
    : undefined;
  await db.transaction().execute(async (transaction) => {
    await registry.lockWrites(transaction);
    const count = offer.isMore ? undefined : offer.count;
    // Not listed any more, or connected otherwise.
    if (!(await writeCount(transaction, { agentId, address }, count, tools !== undefined))) return;
    await writeRecords(transaction, 'offer', [{ agentId, address, readAt: at, offer, streak, review }]);
    await rewriteToolWords(registry, transaction, [agentId]);
    const changed = { agents: [{ agent: { id: agentId } }] };
    if (review === 'waiting' && known?.review !== 'waiting')
      await tell(registry, transaction, { type: 'held', ...changed });
    if (!tools) return;
    await logChange(transaction, { kind: 'tools', actor: 'check', at }, [{ id: agentId, tools }]);
    await tell(registry, transaction, { type: 'tools', ...changed });
  });
}

/** Forgets what a connection offers that is not checked any more. */
export async function removeOffer(registry: Registry, place: Place): Promise<void> {
  await registry.db.transaction().execute(async (transaction) => {
    await registry.lockWrites(transaction);
    await writeCount(transaction, place, undefined, false);
    const { agentId, address } = place;
    const offers = transaction.deleteFrom('connection_offers').where('agent_id', '=', agentId);
    await offers.where('address', '=', address).execute();
    await rewriteToolWords(registry, transaction, [agentId]);
  });
}

/** Writes the words of the tools of listed agents anew, with their tokens, as part of a transaction. */
export async function rewriteToolWords(
  registry: Registry,
  transaction: Kysely<Tables>,
  ids: readonly string[],
): Promise<void> {
  for (const chunk of chunksOf(ids)) {
    const words = await readToolWords(transaction, chunk);
    for (const row of await transaction.selectFrom('agents').selectAll().where('id', 'in', chunk).execute()) {
      const toolWords = words.get(row.id) ?? '';
      if (toolWords === row.tool_words) continue;
      await transaction.updateTable('agents').set({ tool_words: toolWords }).where('id', '=', row.id).execute();
      await rewriteTokens(registry, transaction, toStored({ ...row, tool_words: toolWords }));
    }
  }
}

/** Decides on the texts of offers of listed agents, or takes that back, as part of a transaction. */
export async function reviewOffers(
  registry: Registry,
  transaction: Kysely<Tables>,
  offers: readonly OfferRecord[],
  review: NonNullable<OfferRecord['review']>,
): Promise<void> {
  await writeRecords(
    transaction,
    'offer',
    offers.map((offer) => ({ ...offer, review })),
  );
  const ids = [...new Set(offers.map(({ agentId }) => agentId))];
  await rewriteToolWords(registry, transaction, ids);
}

/** What everybody reads of an offer: not the texts that wait for review, and not the deviations of a card. */
export function toPublicOffer({ offer, review }: Pick<OfferRecord, 'offer' | 'review'>): Offer {
  const { card, ...rest } = offer;
  if (review === 'waiting' || review === 'refused') {
    const { tools: _tools, server: _server, ...numbers } = rest;
    return numbers;
  }
  return { ...rest, ...(card && { card: { ...card, deviations: undefined } }) };
}

/** Describes offers with the last changes of their tools. */
export function toOfferFacts(offers: readonly OfferRecord[], history: readonly HistoryEntry[]): OfferFacts[] {
  return offers.map(({ address, readAt, offer }) => {
    const last = history.find(({ tools }) => tools?.connection === address);
    return { address, readAt, ...offer, ...(last?.tools && { changed: { ...last.tools, at: last.at } }) };
  });
}

function toStreak(streak: number, isChanged: boolean): number {
  if (!isChanged) return streak === RESTLESS ? ONE_EQUAL : 0;
  return streak === ONE_EQUAL ? RESTLESS : Math.min(RESTLESS, streak + 1);
}

/** Whether the texts of an offer wait for review: new ones do, of which only those that were known are as they were. */
function toReview(known: OfferRecord | undefined, offer: Offer, isHeld: boolean): OfferRecord['review'] {
  const isSame = known && isDeepStrictEqual(textsOf(known.offer), textsOf(offer));
  return isSame ? known.review : isHeld && textsOf(offer).length > 0 ? 'waiting' : undefined;
}

/** The texts of an offer that others wrote. */
export function textsOf({ tools = [], server, card }: Offer): string[] {
  const named = tools.flatMap(({ name, title = '', description = '' }) => [name, title, description]);
  return [...named, ...(server ? [server.name] : []), ...(card?.skills ?? []), ...(card?.bindings ?? [])];
}

/** The names of the tools that differ, among those that are kept of both. */
function compareTools(
  before: readonly Tool[] = [],
  after: readonly Tool[] = [],
): Pick<ToolsChange, 'added' | 'removed' | 'changed'> {
  // Of a longer list the last ones are not kept.
  const ends = [before, after].flatMap((tools) => tools[MAX_KEPT_TOOLS - 1]?.name ?? []);
  const toHashes = (tools: readonly Tool[]) =>
    new Map(tools.filter(({ name }) => ends.every((end) => name <= end)).map(({ name, hash }) => [name, hash]));
  const [former, present] = [toHashes(before), toHashes(after)];
  const isOther = (name: string) => former.has(name) && former.get(name) !== present.get(name);
  return {
    added: [...present.keys()].filter((name) => !former.has(name)).slice(0, MAX_NAMED),
    removed: [...former.keys()].filter((name) => !present.has(name)).slice(0, MAX_NAMED),
    changed: [...present.keys()].filter(isOther).slice(0, MAX_NAMED),
  };
}

/** Writes how many tools a connection of a listed agent has; false if there is none. */
async function writeCount(
  transaction: Kysely<Tables>,
  { agentId, address }: Place,
  count: number | undefined,
  isChanged: boolean,
): Promise<boolean> {
  const row = await transaction.selectFrom('agents').select('connections').where('id', '=', agentId).executeTakeFirst();
  const connections = JSON.parse(row?.connections ?? '[]') as Connection[];
  const found = connections.find((one) => describeConnection(one) === address);
  if (!found) return false;
  const isOther = found.kind === 'mcp' && found.tools !== count;
  if (found.kind === 'mcp') found.tools = count;
  // A change raises the version of the registry, also one with the same number of tools.
  if (isOther || isChanged) {
    const columns = { connections: JSON.stringify(connections) };
    await transaction.updateTable('agents').set(columns).where('id', '=', agentId).execute();
  }
  return true;
}
