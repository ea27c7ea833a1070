import {
  addressOf,
  describeConnection,
  findRepository,
  type Connection,
  type ConnectionFacts,
} from '@agent-registry/contracts';
import { sql } from 'kysely';
import type { Listener, Registry } from '../agents/agent-rows.ts';
import type { Engine } from '../db/engine.ts';
import { hasCome, chunksOf } from '../db/records.ts';
import { toCheckedHost, toSite } from '../hosts.ts';
import type { Outcome } from './handshake.ts';
import { keepOffer, readOffers, removeOffer } from './offers.ts';

const DAY = 86_400_000;
/** How long a check holds its connection, in milliseconds: longer than those of all connections of an agent take. */
const LEASE = 240_000;
/** When a connection that is gone is asked again, in milliseconds; nobody can postpone it by more. */
const LONG_WAIT = 30 * DAY;
/** The statuses of an address that is gone, and how often it has them before it is left alone. */
const [GONE, MAX_REFUSALS] = [new Set([404, 405, 410]), 2] as const;

/** A connection that is due; without the connection itself if the agent no longer has it. */
export type DueConnection = {
  agentId: string;
  address: string;
  connection: Connection | undefined;
  /** The host that its owner controls, as was seen. */
  host?: string | undefined;
};

/** Stores which connections are checked, and what they answered. */
export type CheckStore = ReturnType<typeof createCheckStore>;

/** @param isHeld whether texts that are read from others wait for review */
export function createCheckStore(registry: Registry, now: () => number = () => Date.now(), isHeld = false) {
  const { db } = registry;
  const timeIn = (milliseconds: number) => new Date(now() + milliseconds).toISOString();
  const isFree = () => hasCome('leased_until', now(), 2 * LEASE);

  /** Takes connections of an agent before they are due, without those that another process checks. */
  async function claim(agentId: string, address?: string): Promise<DueConnection[]> {
    const rows = await db
      .updateTable('connection_checks')
      .set({ leased_until: timeIn(LEASE), due_at: timeIn(DAY) })
      .where('agent_id', '=', agentId)
      .$if(address !== undefined, (query) => query.where('address', '=', address as string))
      .where(isFree())
      .returning('address')
      .execute();
    const agent = await db
      .selectFrom('agents')
      .select(['connections', 'website', 'website_proof'])
      .where('id', '=', agentId)
      .executeTakeFirst();
    const connections = JSON.parse(agent?.connections ?? '[]') as Connection[];
    const hasHost = agent?.website_proof === 'host' || agent?.website_proof === 'key';
    return rows.map((row) => ({
      agentId,
      address: row.address,
      connection: connections.find((one) => describeConnection(one) === row.address),
      host: hasHost ? toCheckedHost(agent.website) : undefined,
    }));
  }

  return {
    /** Adds the connections that may be checked and are missing, and removes the others, of one agent or all. */
    sync: (agentId?: string) => syncChecks(registry, timeIn, agentId),

    /** Takes the connection that is due first; no process gets it again before the next day. */
    async claimDue(): Promise<DueConnection | undefined> {
      for (;;) {
        const due = await db
          .selectFrom('connection_checks')
          .select(['agent_id', 'address'])
          .where(hasCome('due_at', now(), LONG_WAIT))
          .where(isFree())
          .orderBy('due_at')
          .executeTakeFirst();
        if (!due) return undefined;
        const [taken] = await claim(due.agent_id, due.address);
        // Otherwise another process was faster.
        if (taken) return taken;
      }
    },

    claim,

    /** Notes what became of a check. Without an outcome it is due again after a wait, in milliseconds, by default a day. */
    async record(due: DueConnection, outcome: Outcome | undefined, wait = DAY): Promise<void> {
      const { agentId, address } = due;
      const row = db.updateTable('connection_checks').where('agent_id', '=', agentId).where('address', '=', address);
      if (!outcome) {
        await row.set({ leased_until: '', due_at: timeIn(wait) }).execute();
        return;
      }
      const { result, tools, reason, status = 0, retryAfter = 0 } = outcome;
      const isGone = GONE.has(status);
      const { refusals } = (await row
        .set({
          leased_until: '',
          checked_at: timeIn(0),
          result,
          tools,
          reason,
          refusals: isGone ? sql`refusals + 1` : 0,
        })
        .returning('refusals')
        .executeTakeFirst()) ?? { refusals: 0 };
      const pause = refusals >= MAX_REFUSALS ? LONG_WAIT : Math.min(Math.max(DAY, retryAfter), LONG_WAIT);
      await row.set({ due_at: timeIn(pause) }).execute();
      if (outcome.offer) await keepOffer(registry, due, outcome.offer, { at: timeIn(0), isHeld });
    },

    /** What connections of an agent offer. */
    offersOf: (agentId: string) => readOffers(db, [agentId]),

    /** What connections of an agent answered last. */
    ofAgent: (agentId: string) => readChecks(registry, agentId),
  };
}

async function readChecks({ db }: Engine, agentId: string): Promise<ConnectionFacts[]> {
  const rows = await db
    .selectFrom('connection_checks')
    .select(['address', 'checked_at', 'result', 'tools', 'reason'])
    .where('agent_id', '=', agentId)
    .orderBy('address')
    .execute();
  return rows.flatMap(({ checked_at: checkedAt, result, ...row }) =>
    checkedAt === null || result === null ? [] : [{ ...row, result, checkedAt }],
  );
}

async function syncChecks(
  engine: Registry,
  timeIn: (milliseconds: number) => string,
  agentId: string | undefined,
): Promise<void> {
  const { db } = engine;
  const wanted = await readChecked(engine, agentId);
  for (const chunk of chunksOf(wanted)) {
    const rows = chunk.map((row) => ({ ...row, due_at: timeIn(Math.random() * DAY) }));
    await db
      .insertInto('connection_checks')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['agent_id', 'address']).doNothing())
      .execute();
  }
  const keyOf = (row: Checked) => `${row.agent_id} ${row.address}`;
  const kept = new Set(wanted.map(keyOf));
  const known = await db
    .selectFrom('connection_checks')
    .select(['agent_id', 'address'])
    .$if(agentId !== undefined, (query) => query.where('agent_id', '=', agentId as string))
    // An agent that is hidden keeps what was read of it.
    .union((select) =>
      select
        .selectFrom('connection_offers')
        .innerJoin('agents', 'agents.id', 'agent_id')
        .select(['agent_id', 'address'])
        .$if(agentId !== undefined, (query) => query.where('agent_id', '=', agentId as string)),
    )
    .execute();
  for (const row of known.filter((one) => !kept.has(keyOf(one)))) {
    await db
      .deleteFrom('connection_checks')
      .where((where) => where.and(row))
      .execute();
    await removeOffer(engine, { agentId: row.agent_id, address: row.address });
  }
}

/** Forgets what connections of an agent answered when it is removed. */
export const removeChecks: Listener = async (transaction, { type, agents }) => {
  if (type !== 'removed') return;
  const ids = agents.map(({ agent }) => agent.id);
  for (const chunk of chunksOf(ids)) {
    await transaction.deleteFrom('connection_checks').where('agent_id', 'in', chunk).execute();
  }
};

type Checked = { agent_id: string; address: string };

/** The connections that are checked: of followed sources, and those on websites that their owners control. */
async function readChecked({ db }: Engine, agentId: string | undefined): Promise<Checked[]> {
  const rows = await db
    .selectFrom('agents')
    .select(['id', 'connections', 'website', 'website_checked_at', 'website_proof', 'key_hash'])
    .select((select) =>
      select
        .exists(
          select
            .selectFrom('agent_sources')
            .select('agent_sources.source')
            .whereRef('agent_sources.agent_id', '=', 'agents.id')
            .where('gone_at', 'is', null),
        )
        .as('is_followed'),
    )
    .where('connections', 'is not', null)
    .$if(agentId !== undefined, (query) => query.where('id', '=', agentId as string))
    .execute();
  return rows.flatMap(({ id, connections, website, ...row }) => {
    const isFollowed = Boolean(row.is_followed) && row.key_hash === null;
    const isProved = row.website_checked_at !== null;
    const checked = (JSON.parse(connections as string) as Connection[]).filter(
      (one) =>
        one.kind !== 'mcp-package' && (isFollowed || (isProved && isOf(addressOf(one), website, row.website_proof))),
    );
    return checked.map((one) => ({ agent_id: id, address: describeConnection(one) }));
  });
}

/** Whether an address is on the host that an owner controls or its subdomains, in its repository, or in the account of the page. */
function isOf(address: string, website: string | null, proof: string | null): boolean {
  const host = toCheckedHost(website);
  if (host === undefined || website === null) return false;
  // A proof of before there were kinds counts as one of the page.
  if (proof === 'page' || proof === null) return toSite(address) === toSite(website);
  if (proof === 'repository') {
    const [own, other] = [website, address].map((one) => findRepository(one)?.name.toLowerCase());
    return own !== undefined && other === own;
  }
  const { hostname } = new URL(address);
  return hostname === host || hostname.endsWith(`.${host}`);
}
