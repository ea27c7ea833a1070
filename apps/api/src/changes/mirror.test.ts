import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createManagementKey, type Agent, type ListedAgent, type Changes } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { expect, test, vi } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import type { Engine } from '../db/engine.ts';
import { openDatabase } from '../db/open-database.ts';
import { surfaceEngines } from '../testing/engines.ts';
import { startServerProcess, type ServerProcess } from '../testing/processes.ts';
import { postJson } from '../testing/test-app.ts';
import { rounds, runsAll } from '../testing/tier.ts';

/** How many agents a writer registers: fewer than eight erase none. */
const STEPS = rounds > 1 ? 24 : 12;

vi.setConfig({ testTimeout: 120_000 + rounds * 20_000 });

/** Keeps a copy of a registry by polling the change log. */
class Mirror {
  readonly agents = new Map<string, Agent>();
  readonly #url: string;
  #cursor: string | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async poll(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const after = this.#cursor === undefined ? '' : `&after=${this.#cursor}`;
      const page = (await (await fetch(`${this.#url}/api/changes?limit=3${after}`)).json()) as Changes;
      for (const { id, change } of page.changes) await this.#apply(id, change);
      this.#cursor = page.next;
      ({ hasMore } = page);
    }
  }

  async #apply(id: string, change: string): Promise<void> {
    const response = change === 'removed' ? undefined : await fetch(`${this.#url}/api/agents/${id}`);
    if (response?.ok) this.agents.set(id, (await response.json()) as Agent);
    else this.agents.delete(id);
  }
}

test.runIf(runsAll).each(surfaceEngines)(
  'a mirror that polls one of two processes, which are killed, equals the list in the end, and no agent is lost, on $name',
  async ({ open }) => {
    const database = await open();
    const { engine: other } = await openDatabase(database.url);
    const folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
    const options = { webDir: folder };
    const unlimited = { READ_LIMIT: '0', REGISTER_LIMIT: '0', REGISTER_LIMIT_GLOBAL: '0' };
    const settings = {
      PORT: '0',
      DATABASE_URL: database.url,
      SAMPLE_DATA: 'off',
      SHUTDOWN_DELAY: '0',
      ...unlimited,
    };
    const servers = await Promise.all([1, 2].map(() => startServerProcess(folder, settings, { options })));
    const mirrors = servers.map(({ url }) => new Mirror(url));
    const key = createManagementKey();
    const writing = new AbortController();
    const acknowledged = new Set<string>();

    /** One writer: it registers, holds, edits, hides, shows, releases, withdraws, imports and erases. */
    async function write(engine: Engine): Promise<void> {
      const agents = createAgentStore(engine);
      const operator = createOperatorStore(engine);
      const ids: string[] = [];
      for (let step = 0; step < STEPS; step += 1) {
        const isHeld = step % 5 === 0;
        ids.push((await agents.register(makeNewAgent({ name: `Agent ${step}` }), { key, isHeld })).agent.id);
        if (step % 4 === 1) await operator.add([makeAgent({ id: randomUUID() })]);
        const pick = (distance: number) => ids[Math.max(0, step - distance)]!;
        const select = (distance: number) => ({ ids: new Set([pick(distance)]) });
        await agents.update(pick(step % 3), { key }, { name: `Renamed ${step}` });
        if (step % 3 === 0) await operator.hide(select(2), 'test');
        if (step % 3 === 1) await operator.unhide(select(3));
        if (step % 7 === 6) await operator.release(select(1));
        if (step % 6 === 2) await agents.withdraw(pick(1), { key });
        if (step % 6 === 4) await operator.restore(select(3));
        if (step % 8 === 7) await operator.erase(select(4));
      }
    }

    /** Registers with a process until that is killed. */
    async function register({ url }: ServerProcess): Promise<void> {
      for (;;) {
        const response = await postJson(`${url}/api/agents`, makeNewAgent()).catch(() => undefined);
        const agent = (await response?.json().catch(() => undefined)) as Agent | undefined;
        if (!agent) return;
        acknowledged.add(agent.id);
      }
    }

    /** Kills one process after the other while it writes, and starts it again at the same address. */
    async function kill(): Promise<void> {
      for (let index = 0; index < rounds; index += 1) {
        const server = servers[index % servers.length]!;
        const known = acknowledged.size;
        const registering = register(server);
        await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(known + 2);
        await server.stop('SIGKILL');
        await registering;
        const { port } = new URL(server.url);
        servers[index % servers.length] = await startServerProcess(folder, { ...settings, PORT: port }, { options });
      }
    }

    const polling = mirrors.map(async (mirror) => {
      while (!writing.signal.aborted) {
        // A process that was killed is asked again, from the same cursor on.
        await mirror.poll().catch(() => {});
        await wait(10);
      }
    });
    await Promise.all([write(database.engine), write(other), kill()]);
    writing.abort();
    await Promise.all(polling);
    const listed = await createAgentStore(database.engine).list();
    expect(listed.length).toBeGreaterThan(STEPS / 2);
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([...acknowledged]));
    for (const mirror of mirrors) {
      await mirror.poll();
      expect([...mirror.agents.values()].toSorted(byId)).toEqual(listed.toSorted(byId));
    }
    for (const server of servers) await server.stop('SIGTERM');
    await other.close();
    await database.remove();
    await rm(folder, { recursive: true });
  },
);

function byId(a: ListedAgent, b: ListedAgent): number {
  return a.id < b.id ? -1 : 1;
}
