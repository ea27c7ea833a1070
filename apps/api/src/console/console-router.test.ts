import { randomUUID } from 'node:crypto';
import { createManagementKey, defaultSiteConfig, type Agent } from '@agent-registry/contracts';
import { makeHostileAgents } from '@agent-registry/contracts/testing/hostile-agents';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordAction } from '../actions/record-of-actions.ts';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import { SCHEMA } from '../db/schema/create-schema.ts';
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
    calls = consoleRouter.createCaller({ engine, by: 'Ana', site: defaultSiteConfig });
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
    for (const name of ['delete', 'edit', 'move'] as const) {
      await expect(act(name, [held.id], 'Spam')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    await expect(act('unhide', [held.id])).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    await expect(act('release', [randomUUID()])).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect(await stateOf(held)).toBe('held');
    expect(await logged()).toEqual([]);
  });

  test('related entries have the host, the contact email or the text in common, in any state', async () => {
    const website = 'https://www.spam.example/a';
    const held = await hold({ name: 'Badger', description: 'Win a prize.', website, contactEmail: 'a@spam.example' });
    const twin = await list({ description: 'WIN a prize.', website: null, contactEmail: 'other@mail.example' });
    const hidden = await list({ name: 'Stoat', website: 'http://SPAM.example/b', contactEmail: 'A@spam.example' });
    const other = await list({ name: 'Heron', website: 'https://notspam.example/', contactEmail: 'x@y.example' });
    await operator.hide({ ids: new Set([hidden.id]) }, 'Spam');
    const { host, email, text } = await calls.agents.related({ id: held.id });
    expect(host).toEqual({ total: 1, agents: [{ id: hidden.id, name: 'Stoat', state: 'hidden' }] });
    expect(email).toMatchObject({ total: 1, agents: [{ id: hidden.id }] });
    expect(text).toMatchObject({ total: 1, agents: [{ id: twin.id, state: 'listed' }] });
    await agents.update(other.id, { key }, { website: 'https://spam.example/c' }, review);
    expect((await calls.agents.related({ id: other.id })).host.total).toBe(2);
  });

  test('on a host of many people only entries of the same account are related', async () => {
    const [one, two] = [
      await list({ website: 'https://github.com/otter/one', description: 'One.', contactEmail: 'one@a.example' }),
      await list({ website: 'https://www.github.com/Otter/two', description: 'Two.', contactEmail: 'two@b.example' }),
    ];
    await list({ website: 'https://github.com/heron/one', description: 'Three.', contactEmail: 'three@c.example' });
    const { host } = await calls.agents.related({ id: one.id });
    expect(host).toMatchObject({ total: 1, agents: [{ id: two.id }] });
  });

  test('the search finds listed entries like one that waits', async () => {
    const alike = await list({ name: 'Invoice Otter', capabilities: ['invoice matching'] });
    await list({ name: 'Heron', description: 'Paints birds.', capabilities: ['painting'] });
    const held = await hold({ name: 'Invoice Badger -"x" like:y', capabilities: ['invoice matching'] });
    const { alike: found } = await calls.agents.related({ id: held.id });
    expect(found[0]).toEqual({ id: alike.id, name: 'Invoice Otter', state: 'listed' });
  });

  test('a search finds agents of all states by the filters of the commands, the latest first', async () => {
    const listed = await list({ name: 'Otter', website: 'https://a.example/', contactEmail: 'o@mail.example' });
    const held = await hold({ name: 'Badger', website: 'https://b.a.example/' });
    const hidden = await list({ name: 'Stoat', description: 'An otter in winter.' });
    await operator.hide({ ids: new Set([hidden.id]) }, 'Spam');
    const names = async (filters: Parameters<typeof calls.agents.search>[0]) =>
      (await calls.agents.search(filters)).agents.map(({ agent }) => agent.name).toSorted();
    expect(await names({})).toEqual(['Badger', 'Otter', 'Stoat']);
    expect(await names({ host: 'a.example' })).toEqual(['Badger', 'Otter']);
    expect(await names({ text: 'OTTER' })).toEqual(['Otter', 'Stoat']);
    expect(await names({ email: '@mail.example' })).toEqual(['Otter']);
    expect(await names({ text: 'otter', states: ['hidden'] })).toEqual(['Stoat']);
    expect(await names({ states: ['listed'], since: '2100-01-01' })).toEqual([]);
    const { agents: found } = await calls.agents.search({ states: ['hidden', 'listed'] });
    expect(found.map(({ agent, state, reason }) => [agent.id, state, reason ?? ''])).toEqual([
      [hidden.id, 'hidden', 'Spam'],
      [listed.id, 'listed', ''],
    ]);
    expect(await stateOf(held)).toBe('held');
    await expect(calls.agents.search({ since: 'today' })).rejects.toThrow(/^Registered since must be a time/);
    await expect(calls.agents.search({ host: 'https://a.example' })).rejects.toThrow(/^Host must be/);
    await expect(calls.agents.search({ states: [] })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a public search says what the scores of its results are made of', async () => {
    const listed = await list({ name: 'Capybara Desk', description: 'x' });
    await hold({ name: 'Capybara Lamp' });
    const { results, correction } = await calls.agents.explain({ q: 'capibara desks' });
    expect(results).toEqual([
      { id: listed.id, name: 'Capybara Desk', score: expect.any(Number), parts: expect.any(Array) },
    ]);
    expect(results[0]?.parts[0]).toMatch(/^capibara [\d.]+ \(name, correction capybara\)$/);
    expect(correction).toBe('capybara desks');
    expect((await calls.agents.explain({ q: 'without -"' })).results).toEqual([]);
    await expect(calls.agents.explain({ q: ' ' })).rejects.toThrow('q must not be blank');
  });

  test('a preview names the agents that a change would concern, and changes nothing', async () => {
    const listed = await list({ name: 'Otter', website: 'https://a.example/' });
    const held = await hold({ name: 'Badger', website: 'https://a.example/b' });
    await list({ name: 'Heron', website: 'https://c.example/' });
    const preview = (name: 'hide' | 'release' | 'unhide', filters = {}) =>
      calls.agents.preview({ host: 'a.example', verb: name, ...filters });
    const hiding = await preview('hide');
    expect(hiding).toMatchObject({ would: 'hidden', first: [{ id: listed.id }, { id: held.id }] });
    expect(hiding.ids).toEqual([listed.id, held.id]);
    expect((await preview('hide', { states: ['held'] })).ids).toEqual([held.id]);
    expect((await preview('release')).ids).toEqual([held.id]);
    expect((await preview('unhide')).ids).toEqual([]);
    expect((await preview('hide', { host: undefined, ids: [listed.id] })).ids).toEqual([listed.id]);
    expect([await stateOf(listed), await stateOf(held)]).toEqual(['listed', 'held']);
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

  test('agents of strangers that mean something to a program are read, found and changed as they are', async () => {
    const hostile = makeHostileAgents();
    await agents.load(hostile);
    await agents.load([makeAgent({ name: 'Otter' })]);
    const { agents: found } = await calls.agents.search({ email: hostile[0]?.contactEmail });
    expect(found.map(({ agent }) => agent.name).toSorted()).toEqual(hostile.map(({ name }) => name).toSorted());
    const hosted = hostile.filter(({ website }) => URL.canParse(website ?? ''));
    for (const { id } of hosted.slice(0, 5)) {
      expect((await calls.agents.related({ id })).host.total).toBe(hosted.length - 1);
    }
    expect(
      (
        await act(
          'hide',
          hostile.map(({ id }) => id),
          'Spam',
        )
      ).undo?.targets,
    ).toHaveLength(hostile.length);
  });

  test('the facts about the registry say when it was backed up last, and warn before and long after', async () => {
    await list({ name: 'Otter' });
    const backupOf = async () => (await calls.system()).checks.find(({ name }) => name === 'Last backup');
    expect(await backupOf()).toMatchObject({ isRight: false, detail: 'none is recorded' });
    const { db } = database.engine;
    await recordAction(db, { by: 'Ben', command: 'backup', reason: '' });
    expect(await backupOf()).toMatchObject({ isRight: true, detail: 'by Ben,', at: expect.stringMatching(/^20/) });
    await db.updateTable('operator_actions').set({ at: '2026-01-01T00:00:00.000Z' }).execute();
    expect(await backupOf()).toMatchObject({ isRight: false });
    const { agents: count, migrations, databaseBytes, version } = await calls.system();
    const daily = await calls.figures.daily();
    expect([daily.length, daily.at(-1)?.registrations]).toEqual([90, 1]);
    expect({ count, migrations }).toEqual({ count: 1, migrations: [SCHEMA] });
    expect([databaseBytes > 0, version]).toEqual([true, expect.stringMatching(/^\d+\.\d+\.\d+/)]);
  });
});
