import { randomUUID } from 'node:crypto';
import { createManagementKey, defaultSiteConfig, type Agent } from '@agent-registry/contracts';
import { makeHostileAgents } from '@agent-registry/contracts/testing/hostile-agents';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { consoleRouter } from './console-router.ts';

const key = createManagementKey();
const review = { except: new Set<never>() };

describe.each(surfaceEngines)('the calls of the console on $name', ({ open }) => {
  let database: TestDatabase;
  let agents: AgentStore;
  let operator: OperatorStore;
  let calls: ReturnType<typeof consoleRouter.createCaller>;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await database.empty();
    const { engine } = database;
    agents = createAgentStore(engine);
    operator = createOperatorStore(engine);
    calls = consoleRouter.createCaller({ engine, by: 'Ana', siteConfig: { ...defaultSiteConfig, name: 'Registry' } });
  });

  afterAll(() => database.remove());

  const hold = async (fields: Partial<Agent>) =>
    (await agents.register(makeNewAgent(fields), { key, isHeld: true })).agent;
  const list = async (fields: Partial<Agent>) => (await agents.register(makeNewAgent(fields), { key })).agent;
  const stateOf = async ({ id }: Agent) => (await operator.inspect(id))?.state;
  const logged = async () => {
    const actions = [];
    for await (const { by, command, agentId, reason } of operator.streamActions()) {
      actions.push({ by, command, agentId, reason });
    }
    return actions;
  };
  const act = (verb: Parameters<typeof calls.act>[0]['verb'], ids: readonly string[], reason?: string) =>
    calls.act({ verb, targets: ids.map((id) => ({ id })), reason });

  test('the queue has new agents and edits, the longest wait first, with their reports', async () => {
    const listed = await list({ name: 'Otter' });
    const held = await hold({ name: 'Badger' });
    await agents.report(listed.id, { reason: 'spam', text: null });
    await agents.update(listed.id, { key }, { name: 'Stoat', website: null }, review);
    const { items, total } = await calls.queue.list();
    expect(total).toBe(2);
    expect(items).toMatchObject([
      { kind: 'new', agent: { id: held.id, name: 'Badger' }, patch: {}, reports: 0 },
      { kind: 'edit', agent: { id: listed.id, name: 'Otter' }, patch: { name: 'Stoat' }, reports: 1 },
    ]);
  });

  test('a decision is made for all chosen entries, recorded with who and why, and taken back', async () => {
    const listed = await list({ name: 'Otter' });
    const held = await hold({ name: 'Badger' });
    await agents.update(listed.id, { key }, { name: 'Stoat' }, review);
    const ids = [held.id, listed.id];
    const released = await act('release', ids);
    expect(released).toMatchObject({ text: 'Released: 2 entries.', undo: { verb: 'hold' } });
    expect(released.undo?.targets.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(await agents.find(listed.id)).toMatchObject({ name: 'Stoat' });
    const undone = await calls.act(released.undo ?? expect.fail());
    expect(undone).toEqual({ text: 'Taken back. Held: 2 entries.', undo: undefined });
    expect(await agents.find(listed.id)).toMatchObject({ name: 'Otter' });
    expect(await calls.queue.list()).toMatchObject({ total: 2 });
    expect(await act('refuse', [held.id], 'No such website')).toMatchObject({ undo: { verb: 'hold' } });
    expect(await operator.inspect(held.id)).toMatchObject({ state: 'refused', reason: 'No such website' });
    expect(await act('hide', [listed.id], 'Spam')).toMatchObject({ undo: { verb: 'unhide' } });
    expect(await act('unhide', [listed.id])).toEqual({ text: 'Shown again: Otter.', undo: undefined });
    expect(await act('withdraw', [listed.id])).toMatchObject({ undo: { verb: 'restore-agent' } });
    expect(await act('restore-agent', [listed.id])).toMatchObject({ undo: { verb: 'withdraw' } });
    expect(await stateOf(listed)).toBe('listed');
    const actions = await logged();
    expect(new Set(actions.map(({ by }) => by))).toEqual(new Set(['Ana']));
    expect(actions.slice(-5).map(({ command, agentId, reason }) => [command, agentId, reason])).toEqual([
      ['refuse', held.id, 'No such website'],
      ['hide', listed.id, 'Spam'],
      ['unhide', listed.id, ''],
      ['withdraw', listed.id, ''],
      ['restore-agent', listed.id, ''],
    ]);
  });

  test('an entry is offered with the verbs of its state, and each of them can be done', async () => {
    const { id } = await hold({ name: 'Badger' });
    const offered = async () => (await calls.agents.get({ id })).verbs.map(({ name }) => name);
    const expected = {
      held: ['release', 'refuse', 'hide', 'withdraw'],
      refused: ['hold', 'hide', 'withdraw'],
      hidden: ['unhide'],
      withdrawn: ['restore-agent', 'hide'],
      listed: ['hide', 'hold', 'withdraw'],
    };
    for (const [verb, state] of [
      ['refuse', 'refused'],
      ['hold', 'held'],
      ['release', 'listed'],
      ['hide', 'hidden'],
      ['unhide', 'listed'],
      ['withdraw', 'withdrawn'],
      ['restore-agent', 'listed'],
    ] as const) {
      expect(await offered()).toContain(verb);
      await act(verb, [id], 'Why');
      expect(await offered()).toEqual(expected[state]);
    }
    await agents.update(id, { key }, { name: 'Stoat' }, review);
    expect(await offered()).toEqual(expected.held);
    const { verbs } = await calls.queue.list();
    expect(verbs).toMatchObject([
      { name: 'release', label: 'Release', key: 'r', needsReason: false },
      { name: 'refuse', label: 'Refuse', key: 'f', needsReason: true, reasonHint: expect.stringMatching(/^The owner/) },
      {
        name: 'hide',
        label: 'Hide',
        key: 'h',
        needsReason: true,
        reasonHint: expect.stringMatching(/^Only operators/),
      },
    ]);
  });

  test('what an owner has changed since it was shown is not decided on', async () => {
    const held = await hold({ name: 'Badger' });
    const listed = await list({ name: 'Otter' });
    await agents.update(listed.id, { key }, { name: 'Stoat' }, review);
    const { items } = await calls.queue.list();
    const targets = items.map(({ agent: { id }, seen }) => ({ id, seen }));
    await agents.update(held.id, { key }, { description: 'Buy now.' }, review);
    await agents.update(listed.id, { key }, { name: 'Weasel' }, review);
    await expect(calls.act({ verb: 'release', targets })).rejects.toThrow('2 entries are no longer as you');
    for (const target of targets) {
      await expect(calls.act({ verb: 'release', targets: [target] })).rejects.toThrow('no longer as you saw it');
    }
    expect(await calls.queue.list()).toMatchObject({ total: 2 });
    expect(await logged()).toEqual([]);
    const read = await calls.queue.list();
    const again = read.items.map(({ agent: { id }, seen }) => ({ id, seen }));
    expect(await calls.act({ verb: 'release', targets: again })).toMatchObject({ text: 'Released: 2 entries.' });
  });

  test('refuse and hide need a reason of one line, and a change of nothing is an error', async () => {
    const held = await hold({});
    for (const name of ['refuse', 'hide'] as const) {
      for (const reason of [undefined, '', ' ', 'a\nb', 'a\u001B[2J', 'x'.repeat(501)]) {
        await expect(act(name, [held.id], reason)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      }
    }
    // Verbs of the command line only.
    for (const name of ['delete', 'edit'] as const) {
      await expect(act(name, [held.id], 'Spam')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    await expect(act('unhide', [held.id])).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    await expect(act('release', [randomUUID()])).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect(await stateOf(held)).toBe('held');
    expect(await logged()).toEqual([]);
  });

  test('the reports of an entry are listed, most first, and dismissed', async () => {
    const [one, two] = [await list({ name: 'Otter' }), await list({ name: 'Stoat' })];
    for (const { id } of [one, two, two]) await agents.report(id, { reason: 'spam', text: 'Bad.' });
    const { agents: reported, total } = await calls.reports.list();
    expect(total).toBe(2);
    expect(reported.map(({ agent, reports }) => [agent.name, reports.length])).toEqual([
      ['Stoat', 2],
      ['Otter', 1],
    ]);
    expect(await act('dismiss-reports', [two.id], 'Fine')).toEqual({ text: 'Dismissed: 2 reports.', undo: undefined });
    expect(await calls.reports.list()).toMatchObject({ total: 1 });
    await expect(act('dismiss-reports', [two.id])).rejects.toThrow('No report is about these agents');
    expect(await logged()).toEqual([{ by: 'Ana', command: 'dismiss-reports', agentId: two.id, reason: 'Fine' }]);
  });

  test('an entry has its state, reports, history and the actions on it, latest first', async () => {
    const { id } = await list({ name: 'Otter' });
    await agents.update(id, { key }, { name: 'Stoat' });
    await agents.report(id, { reason: 'spam', text: null });
    await act('hide', [id], 'Spam');
    await act('unhide', [id]);
    const entry = await calls.agents.get({ id });
    expect(entry).toMatchObject({
      agent: { name: 'Stoat' },
      state: 'listed',
      hasKey: true,
      reports: [{ reason: 'spam' }],
    });
    expect(entry.history).toEqual(
      expect.arrayContaining([expect.objectContaining({ change: 'updated', fields: { name: ['Otter', 'Stoat'] } })]),
    );
    expect(entry.actions.map(({ command, by }) => [command, by])).toEqual([
      ['unhide', 'Ana'],
      ['hide', 'Ana'],
    ]);
    await expect(calls.agents.get({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(calls.agents.get({ id: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('agents of strangers that mean something to a program are read and changed as they are', async () => {
    const hostile = makeHostileAgents().slice(0, 100);
    await agents.load(hostile);
    const ids = hostile.map(({ id }) => id);
    for (const agent of hostile) expect((await calls.agents.get({ id: agent.id })).agent).toMatchObject(agent);
    expect((await act('hide', ids, 'Spam')).undo?.targets).toHaveLength(hostile.length);
  });
});
