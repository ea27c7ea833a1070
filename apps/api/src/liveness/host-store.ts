import { hash } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { chunksOf, walk, hasCome, toRecord } from '../db/records.ts';
import type { Engine } from '../db/engine.ts';
import type { FieldsOf } from '../db/record-kinds.ts';
import type { Tables } from '../db/tables.ts';
import { toCheckedHost } from '../hosts.ts';

/** Whether a host answers: `none` where a request tells neither. */
export type Verdict = 'answered' | 'failed' | 'none';

/**
 * What is known of a host of websites: when it is asked next, when it last answered, if ever, and the days on which it has
 * failed since then.
 */
type HostRecord = FieldsOf<'website-host'>;

const DAY = 86_400_000;
/** How long a check holds its host, in milliseconds: longer than a check takes. */
const LEASE = 60_000;
/** Days until a host that failed is asked again, after its first, second, third failure and every later one. */
const BACK_OFF = [1, 2, 4, 7];
/** The longest of these waits, in milliseconds. */
const MAX_WAIT = Math.max(...BACK_OFF) * DAY;

/** Failures, each on a day of its own, before the registry says that a host does not answer. */
const MIN_FAILURES = 3;
/** How far the first and the last of them are apart at least, in milliseconds. */
const MIN_SILENCE = 7 * DAY;

/** When a host stopped to answer; null before that is certain enough to say. */
export function silentSince({ failures, firstFailedAt, lastFailedAt }: HostRecord): string | null {
  if (failures < MIN_FAILURES || firstFailedAt === null || lastFailedAt === null) return null;
  return Date.parse(lastFailedAt) - Date.parse(firstFailedAt) >= MIN_SILENCE ? firstFailedAt : null;
}

/** Stores the hosts of the websites of listed agents, which all processes share. */
export type HostStore = ReturnType<typeof createHostStore>;

export function createHostStore(engine: Engine, now: () => number = () => Date.now()) {
  const { db } = engine;
  const timeIn = (milliseconds: number) => new Date(now() + milliseconds).toISOString();
  const isFree = () => hasCome('leased_until', now(), 2 * LEASE);
  const lease = () => ({ leased_until: timeIn(LEASE), due_at: timeIn(DAY) });

  return {
    /** Adds the hosts of listed agents that are missing, and removes the others. */
    async sync(): Promise<void> {
      const hosts = await readHosts(db);
      for (const chunk of chunksOf([...hosts])) {
        await db
          .insertInto('website_hosts')
          .values(chunk.map((host) => ({ host, due_at: timeIn(toDelay(host)) })))
          .onConflict((conflict) => conflict.column('host').doNothing())
          .execute();
      }
      const known = await db.selectFrom('website_hosts').select('host').execute();
      const gone = known.map(({ host }) => host).filter((host) => !hosts.has(host));
      for (const chunk of chunksOf(gone)) await removeHosts(db, chunk);
    },

    /** Takes hosts that are due; no process gets them again before the next day. */
    async claimDue(limit: number): Promise<string[]> {
      const due = db
        .selectFrom('website_hosts')
        .select('host')
        .where(hasCome('due_at', now(), MAX_WAIT))
        .where(isFree())
        .orderBy('due_at')
        .limit(limit)
        // SQLite has one writer at a time.
        .$if(engine.name === 'postgres', (query) => query.forUpdate().skipLocked());
      const rows = await db
        .updateTable('website_hosts')
        .set(lease())
        .where('host', 'in', due)
        .returning('host')
        .execute();
      return rows.map(({ host }) => host);
    },

    /** Takes a host before it is due; false while another process has it. */
    async claim(host: string): Promise<boolean> {
      const rows = await db
        .updateTable('website_hosts')
        .set(lease())
        .where('host', '=', host)
        .where(isFree())
        .returning('host')
        .execute();
      return rows.length > 0;
    },

    /** Gives back a host that was not asked, until some milliseconds later. */
    async postpone(host: string, wait: number): Promise<void> {
      const due = { leased_until: '', due_at: timeIn(wait) };
      await db.updateTable('website_hosts').set(due).where('host', '=', host).execute();
    },

    /** Notes a verdict, and when the host is asked next. */
    async record(host: string, verdict: Verdict): Promise<void> {
      const at = timeIn(0);
      await db.transaction().execute(async (transaction) => {
        await engine.lockWrites(transaction);
        const row = await transaction
          .selectFrom('website_hosts')
          .selectAll()
          .where('host', '=', host)
          .executeTakeFirst();
        if (!row) return;
        await transaction
          .updateTable('website_hosts')
          .set({ leased_until: '', ...toChange(row, verdict, at) })
          .where('host', '=', host)
          .execute();
      });
    },

    /** What is known of a host; undefined before it is in the list. */
    async find(host: string): Promise<HostRecord | undefined> {
      const row = await db.selectFrom('website_hosts').selectAll().where('host', '=', host).executeTakeFirst();
      return row && toRecord('website-host', row);
    },

    /** The hosts that have not answered for long enough to say so. */
    async listSilent(): Promise<HostRecord[]> {
      const rows = await db.selectFrom('website_hosts').selectAll().where('failures', '>', 0).orderBy('host').execute();
      return rows.map((row) => toRecord('website-host', row)).filter((record) => silentSince(record) !== null);
    },
  };
}

type HostRow = Selectable<Tables['website_hosts']>;

function toChange(row: HostRow, verdict: Verdict, at: string): Partial<HostRow> {
  if (verdict === 'answered') return { answered_at: at, failures: 0, first_failed_at: null, last_failed_at: null };
  if (verdict === 'none') return {};
  // A day counts once, also if an owner asks for more checks.
  const isSameDay = row.last_failed_at?.slice(0, 10) === at.slice(0, 10);
  const failures = isSameDay ? row.failures : row.failures + 1;
  const days = BACK_OFF[Math.min(failures, BACK_OFF.length) - 1] ?? 1;
  return {
    failures,
    first_failed_at: row.first_failed_at ?? at,
    last_failed_at: at,
    due_at: new Date(Date.parse(at) + days * DAY).toISOString(),
  };
}

/** Removes hosts, as part of a transaction or alone. */
export async function removeHosts(db: Kysely<Tables>, hosts: readonly string[]): Promise<void> {
  await db.deleteFrom('website_hosts').where('host', 'in', hosts).execute();
}

async function readHosts(db: Kysely<Tables>): Promise<Set<string>> {
  const hosts = new Set<string>();
  for await (const { website } of walk(db.selectFrom('agents').select(['seq', 'website']), ['seq'])) {
    const host = toCheckedHost(website);
    if (host !== undefined) hosts.add(host);
  }
  return hosts;
}

/** The part of a day after which a new host is asked, by its hash, so that the requests are spread. */
function toDelay(host: string): number {
  return Math.floor((Number.parseInt(hash('sha256', host).slice(0, 8), 16) / 2 ** 32) * DAY);
}
