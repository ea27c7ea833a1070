import { createManagementKey, type Changes, type HistoryEntry } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { forgetWithdrawn } from '../agents/unlisted-agents.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { logChange } from './change-log.ts';
import { forgetChanges } from '../operator/expiry.ts';

const DAY = 86_400_000;

describe.each(engines)('the change log on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let operator: OperatorStore;
  let begin: string;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await database.empty();
    app = await startTestApp({ database });
    operator = createOperatorStore(database.engine);
    begin = (await read('')).next;
    return () => app.close();
  });

  afterAll(() => database.remove());

  async function read(query: string): Promise<Changes> {
    const response = await fetch(`${app.url}/api/changes${query}`);
    return (await response.json()) as Changes;
  }

  async function readError(path: string): Promise<string> {
    const response = await fetch(app.url + path);
    return `${response.status} ${await response.text()}`;
  }

  const since = async (cursor: string) =>
    (await read(`?after=${cursor}`)).changes.map(({ id, change }) => [id, change]);

  async function history(id: string): Promise<HistoryEntry[]> {
    return (await (await fetch(`${app.url}/api/agents/${id}/history`)).json()) as HistoryEntry[];
  }

  const select = (id: string) => ({ ids: new Set([id]) });
  const register = async (options?: { key?: string; isHeld?: boolean }) =>
    (await app.agents.register(makeNewAgent({ website: 'https://example.com/' }), options)).agent;

  test('has each change of an agent, with what changed and who changed it', async () => {
    const key = createManagementKey();
    const { id } = await register({ key });
    await app.agents.update(id, { key }, { name: 'Renamed', description: 'New.', website: 'https://example.com/new' });
    await app.agents.claim(id, { website: 'https://example.com/new', proof: 'host' }, key);
    await operator.hide(select(id), 'spam');
    await operator.unhide(select(id));
    await app.agents.replaceKey(id, { key }, createManagementKey());
    await app.agents.report(id, { reason: 'spam', text: null });
    expect(await history(id)).toEqual([
      { change: 'listed', actor: 'operator', at: expect.any(String), fields: [] },
      { change: 'removed', actor: 'operator', at: expect.any(String), fields: [] },
      { change: 'updated', actor: 'website', at: expect.any(String), fields: [{ field: 'websiteCheckedAt' }] },
      {
        change: 'updated',
        actor: 'owner',
        at: expect.any(String),
        fields: [
          { field: 'name', from: makeNewAgent().name, to: 'Renamed' },
          { field: 'description' },
          { field: 'website', from: 'https://example.com/', to: 'https://example.com/new' },
        ],
      },
      { change: 'listed', actor: 'owner', at: expect.any(String), fields: [] },
    ]);
  });

  test('lists an agent that was registered, imported or released, by whom', async () => {
    const registered = await register();
    const imported = makeAgent();
    await operator.add([imported]);
    const held = await register({ isHeld: true });
    expect(await since(begin)).toEqual([
      [registered.id, 'listed'],
      [imported.id, 'listed'],
    ]);
    const later = await register({ key: createManagementKey() });
    await operator.release(select(held.id));
    const { changes } = await read(`?after=${begin}`);
    expect(changes.map(({ id }) => id)).toEqual([registered.id, imported.id, later.id, held.id]);
    const actors = await Promise.all(changes.map(async ({ id }) => (await history(id)).map(({ actor }) => actor)));
    expect(actors).toEqual([['anyone'], ['import'], ['owner'], ['operator']]);
  });

  test.each([
    ['hidden', (id: string) => operator.hide(select(id), 'spam')],
    ['withdrawn by the operator', (id: string) => operator.withdraw(select(id))],
    ['erased', (id: string) => operator.erase(select(id))],
  ])('removes an agent that is %s, and shows no history of it', async (_case, remove) => {
    const { id } = await register();
    const { next } = await read(`?after=${begin}`);
    await remove(id);
    expect(await since(begin)).toEqual([[id, 'removed']]);
    expect(await since(next)).toEqual([[id, 'removed']]);
    expect((await fetch(`${app.url}/api/agents/${id}/history`)).ok).toBe(false);
  });

  test('has each agent once, in pages that go on after each other, and 304 while nothing changes', async () => {
    const key = createManagementKey();
    const ids = [];
    for (let number = 0; number < 5; number += 1) ids.push((await register({ key })).id);
    await app.agents.update(ids[1]!, { key }, { name: 'Renamed' });
    await app.agents.withdraw(ids[2]!, { key });
    const expected = [
      [ids[0], 'listed'],
      [ids[3], 'listed'],
      [ids[4], 'listed'],
      [ids[1], 'updated'],
      [ids[2], 'removed'],
    ];
    const seen: (readonly [string, string])[] = [];
    let after = begin;
    for (let hasMore = true; hasMore;) {
      const page = await read(`?after=${after}&limit=2`);
      expect(page.changes.length).toBeLessThanOrEqual(2);
      seen.push(...page.changes.map(({ id, change }) => [id, change] as const));
      ({ next: after, hasMore } = page);
    }
    expect(seen).toEqual(expected);
    const path = `${app.url}/api/changes?after=${after}`;
    const first = await fetch(path);
    const headers = { 'if-none-match': first.headers.get('etag')! };
    expect(await first.json()).toEqual({ changes: [], next: after, hasMore: false });
    expect((await fetch(path, { headers })).status).toBe(304);
    await app.agents.update(ids[1]!, { key }, { name: 'Renamed again' });
    expect((await fetch(path, { headers })).status).toBe(200);
  });

  test('gives the agents that are still listed with include=agents, without their contact addresses', async () => {
    const [kept, removed] = [await register(), await register()];
    await operator.hide(select(removed.id), 'spam');
    const { contactEmail: _, ...agent } = kept;
    expect((await read(`?after=${begin}&include=agents`)).changes).toEqual([
      { id: kept.id, change: 'listed', at: expect.any(String), agent },
      { id: removed.id, change: 'removed', at: expect.any(String) },
    ]);
  });

  test('refuses a cursor that is none, of another log, or ahead of the log', async () => {
    const [log, number] = begin.split('.');
    expect(await readError('/api/changes?after=1')).toBe('400 after must be a cursor of the change log, from next.');
    const outdated = '410 after is outdated or of another log. Start anew, without after.';
    expect(await readError(`/api/changes?after=AAAAAAAAAAAA.${number}`)).toBe(outdated);
    expect(await readError(`/api/changes?after=${log}.${Number(number) + 1_000_000}`)).toBe(outdated);
  });

  test('forgets old and surplus changes, and refuses readers who would miss a forgotten removal', async () => {
    const key = createManagementKey();
    const [edited, removed] = [await register({ key }), await register({ key })];
    const { next } = await read(`?after=${begin}`);
    const names = Array.from({ length: 205 }, (_, edits) => [`Name ${edits}`, `Name ${edits + 1}`] as const);
    await database.engine.db.transaction().execute(async (transaction) => {
      for (const name of names) {
        await logChange(transaction, { kind: 'updated', actor: 'owner' }, [{ id: edited.id, fields: { name } }]);
      }
    });
    await app.agents.withdraw(removed.id, { key });
    const { next: last } = await read(`?after=${begin}`);
    await forgetChanges(database.engine.db, Date.now());
    expect(await history(edited.id)).toHaveLength(200);
    await forgetChanges(database.engine.db, Date.now() + 401 * DAY);
    // Forgetting changes no agent, so that cached answers stay.
    await register();
    // What became of a listed agent stays.
    expect(await history(edited.id)).toMatchObject([{ fields: [{ from: 'Name 204', to: 'Name 205' }] }]);
    expect(await readError(`/api/changes?after=${next}`)).toMatch(/^410 /);
    expect((await read(`?after=${last}`)).changes).toHaveLength(1);
    expect(await read('')).toMatchObject({ changes: [{ id: edited.id }, { change: 'listed' }], hasMore: false });
  });

  test.each([
    ['erased', (id: string) => operator.erase(select(id))],
    [
      'forgotten after its withdrawal',
      async (id: string) => {
        await operator.withdraw(select(id));
        await forgetWithdrawn(database.engine.db, Date.now() + 31 * DAY);
      },
    ],
  ])('keeps no values of an agent that is %s', async (_case, forget) => {
    const key = createManagementKey();
    const [{ id }, other] = [await register({ key }), await register({ key })];
    for (const agent of [id, other.id]) await app.agents.update(agent, { key }, { contactEmail: 'secret@example.com' });
    await forget(id);
    const rows = await database.engine.db.selectFrom('agent_changes').selectAll().orderBy('number').execute();
    const fieldsOf = (agent: string) => rows.filter((row) => row.agent_id === agent).map(({ fields }) => fields);
    expect(fieldsOf(id)).toEqual([null, null, null]);
    expect(fieldsOf(other.id)).toEqual([null, expect.stringContaining('secret@example.com')]);
  });

  test('keeps the values of long fields for the last ten changes of them, also in a backup, and texts for operators only', async () => {
    const { id } = await register();
    for (let edit = 0; edit < 12; edit += 1) {
      const connections = [{ kind: 'a2a' as const, card: `https://example.com/${edit}.json` }];
      await operator.edit(select(id), { name: `Name ${edit}`, description: `Text ${edit}`, connections });
      await operator.edit(select(id), { category: edit % 2 === 0 ? 'vision' : 'chatbot' });
    }
    await operator.edit(select(id), { capabilities: ['swim'], exampleTasks: ['Swim across the river.'] });
    const inspect = async () => (await operator.inspect(id))?.history.flatMap(({ fields }) => fields ?? []) ?? [];
    const kept = await inspect();
    expect(kept.flatMap(({ description }) => description?.[1] ?? [])).toEqual(
      Array.from({ length: 9 }, (_, edit) => `Text ${edit + 3}`),
    );
    expect(kept.flatMap(({ name }) => name?.[1] ?? [])).toHaveLength(12);
    expect(kept[0]).toEqual({ name: [makeNewAgent().name, 'Name 0'], description: null, connections: null });
    const shown = await history(id);
    expect(shown.filter(({ fields }) => fields.some(({ field }) => field === 'description'))).toHaveLength(12);
    expect(JSON.stringify(shown)).not.toMatch(/Text|Swim/);
    const connected = shown.flatMap(({ fields }) => fields.filter(({ field }) => field === 'connections'));
    expect(connected.map(({ to }) => to)).toEqual([
      ...Array.from({ length: 9 }, (_, edit) => `a2a https://example.com/${11 - edit}.json`),
      ...Array<undefined>(3).fill(undefined),
    ]);
    const records: RegistryRecord[] = [];
    for await (const record of operator.read()) records.push(record);
    async function* iterate() {
      yield* records;
    }
    await operator.replace(iterate());
    expect(await inspect()).toEqual(kept);
    await operator.edit(select(id), { description: 'Last.' });
    expect((await inspect()).filter(({ description }) => description)).toHaveLength(9);
  });

  test('is in a backup, and a restore begins a new log with it', async () => {
    const key = createManagementKey();
    const [agent, removed] = [await register({ key }), await register({ key })];
    await app.agents.update(agent.id, { key }, { name: 'Renamed' });
    await operator.withdraw(select(removed.id));
    const before = await history(agent.id);
    const records: RegistryRecord[] = [];
    for await (const record of operator.read()) records.push(record);
    await operator.replace(streamOf(records));
    expect(await readError(`/api/changes?after=${begin}`)).toMatch(/^410 /);
    const states = [
      [agent.id, 'updated'],
      [removed.id, 'removed'],
    ];
    expect((await read('')).changes.map(({ id, change }) => [id, change])).toEqual(states);
    expect(await history(agent.id)).toEqual(before);
    await operator.replace(streamOf(records.filter(({ kind }) => kind !== 'change')));
    expect((await read('')).changes).toEqual([{ id: agent.id, change: 'listed', at: agent.createdAt }]);
  });
});

async function* streamOf<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}
