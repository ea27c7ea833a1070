import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, NewAgent } from '@agent-registry/contracts';
import type { Engine } from './engine.ts';
import { openDatabase } from './open-database.ts';

/** A migrated, empty database that belongs to one test. */
export type TestDatabase = {
  /** What `DATABASE_URL` would say. */
  url: string;
  /** The open database; another one after `reopen`. */
  readonly engine: Engine;
  /** Closes the database and opens it anew, as a restart of the process does. */
  reopen(): Promise<void>;
  /** Closes the database and removes it. */
  remove(): Promise<void>;
};

/** An engine and how to open a database of it. */
export type TestEngine = { name: string; open: () => Promise<TestDatabase> };

/** The engines on which every test of the stores runs: `describe.each(engines)`. */
export const engines = [{ name: 'sqlite', open: openSqliteFile }] as const satisfies readonly TestEngine[];

async function openSqliteFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  const url = `file:${join(folder, 'registry.db')}`;
  let { engine } = await openDatabase(url);
  return {
    url,
    get engine() {
      return engine;
    },
    async reopen() {
      await engine.close();
      ({ engine } = await openDatabase(url));
    },
    async remove() {
      await engine.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A registration as it is stored; what the test does not say is plain. */
export function makeNewAgent(fields: Partial<NewAgent> = {}): NewAgent {
  return {
    name: 'Plain Agent',
    description: 'Does one thing.',
    category: 'automation',
    capabilities: [],
    contactEmail: 'owner@example.com',
    website: null,
    pricingModel: 'free',
    apiAccess: 'no',
    ...fields,
  };
}

/** A whole agent with an id of its own; what the test does not say is plain. */
export function makeAgent(fields: Partial<Agent> = {}): Agent {
  return {
    id: randomUUID(),
    ...makeNewAgent(),
    rating: 0,
    reviewCount: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}
