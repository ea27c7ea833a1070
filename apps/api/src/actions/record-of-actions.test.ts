import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { forgetWithdrawn, WITHDRAWAL_PERIOD } from '../agents/unlisted-agents.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { runCommandLine } from '../testing/source-server.ts';
import { ACTION_PERIOD, forgetActions, type OperatorAction } from './record-of-actions.ts';

const reason = 'Because of a complaint';
const ana = { by: 'Ana', reason };

describe.each(surfaceEngines)('the record of actions on $name', ({ open }) => {
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    database = await open();
    folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  });

  beforeEach(() => database.empty());

  afterAll(async () => {
    await database.remove();
    await rm(folder, { recursive: true });
  });

  const run = (...args: readonly string[]) => runCommandLine(database, args);

  async function readLog(...args: readonly string[]): Promise<OperatorAction[]> {
    const { stdout } = await run('log', '--json', ...args);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as OperatorAction);
  }

  const register = async (name: string, isHeld = false): Promise<Agent> =>
    (await createAgentStore(database.engine).register(makeNewAgent({ name }), { isHeld })).agent;
  const act = (...args: readonly string[]) => run(...args, '--by', 'Ana', '--reason', reason);

  test('every command that changes agents is recorded once, with who, which agent and why', async () => {
    const { id } = await register('Otter', true);
    await createAgentStore(database.engine).report(id, { reason: 'spam', text: null });
    const file = join(folder, 'import.ndjson');
    const imported = makeAgent({ name: 'Heron' });
    await writeFile(file, JSON.stringify(imported));
    const steps: [command: string, ...args: string[]][] = [
      ['refuse', id],
      ['hold', id],
      ['release', id],
      ['edit', id, 'pricingModel=free'],
      ['hide', id],
      ['unhide', id],
      ['withdraw', id],
      ['restore-agent', id],
      ['reset-key', id],
      ['import', file],
    ];
    for (const step of steps) expect({ step, ...(await act(...step)) }).toMatchObject({ code: 0 });
    const acted = steps.map(([command]) =>
      command === 'import'
        ? { command, ...ana, agentId: imported.id, name: 'Heron' }
        : { command, ...ana, agentId: id, name: 'Otter' },
    );
    expect(await readLog()).toMatchObject(acted);
    expect(await readLog('--id', imported.id)).toMatchObject(acted.slice(-1));
    expect(await readLog('--since', '2100-01-01')).toEqual([]);
  });

  test('dismissed reports are recorded with their agent', async () => {
    const { id } = await register('Otter');
    for (const text of ['a', 'b']) await createAgentStore(database.engine).report(id, { reason: 'spam', text });
    expect(await act('dismiss-reports', id)).toMatchObject({ code: 0 });
    expect(await readLog()).toMatchObject([{ command: 'dismiss-reports', ...ana, agentId: id, name: 'Otter' }]);
  });

  test('a command that changes nothing, or only lists what it would change, is not recorded', async () => {
    const { id } = await register('Otter');
    for (const step of [
      ['unhide', id],
      ['hide', '--text', 'Otter'],
      ['release', '--since', '1h', '--yes'],
    ]) {
      expect(await act(...step)).toMatchObject({ code: 1 });
    }
    expect(await readLog()).toEqual([]);
  });

  test('without --by the system user is recorded, and a --by or --reason with control characters is refused', async () => {
    const { id } = await register('Otter');
    for (const option of ['--by', '--reason']) {
      expect(await run('withdraw', id, option, 'a\u001B[2J')).toMatchObject({ code: 1 });
    }
    expect(await run('withdraw', id)).toMatchObject({ code: 0 });
    const [action] = await readLog();
    expect(action).toMatchObject({ command: 'withdraw', reason: '', by: expect.stringMatching(/./) });
  });

  test('an erasure keeps that it took place, and no name or reason of the erased agent', async () => {
    const [erased, kept] = [await register('Otter'), await register('Heron')];
    await act('hide', erased.id, kept.id);
    expect(await run('delete', erased.id, '--yes', '--by', 'Ana')).toMatchObject({ code: 0 });
    expect(await readLog()).toMatchObject([
      { command: 'hide', agentId: erased.id, name: null, reason: '' },
      { command: 'hide', agentId: kept.id, name: 'Heron', reason },
      { command: 'delete', by: 'Ana', agentId: erased.id, name: null, reason: '' },
    ]);
  });

  test('an agent that was withdrawn long ago leaves no name or reason', async () => {
    const { id } = await register('Otter');
    await act('withdraw', id);
    await forgetWithdrawn(database.engine.db, Date.now() + WITHDRAWAL_PERIOD + 1_000);
    expect(await readLog()).toMatchObject([{ command: 'withdraw', agentId: id, name: null, reason: '' }]);
  });

  test('a backup has the record, and a restore adds itself to it', async () => {
    const { id } = await register('Otter');
    await act('hide', id);
    const before = await readLog();
    const file = join(folder, 'registry.backup');
    expect(await run('backup', file)).toMatchObject({ code: 0 });
    await act('unhide', id);
    expect(await act('restore', '--overwrite', file)).toMatchObject({ code: 0 });
    expect(await readLog()).toMatchObject([...before, { command: 'restore', ...ana, agentId: null, name: null }]);
  });

  test('actions are forgotten after 400 days', async () => {
    const { id } = await register('Otter');
    await act('hide', id);
    const { db } = database.engine;
    await forgetActions(db, Date.now() + ACTION_PERIOD - 60_000);
    expect(await readLog()).toHaveLength(1);
    await forgetActions(db, Date.now() + ACTION_PERIOD + 60_000);
    expect(await readLog()).toEqual([]);
  });

  test('a terminal obeys nothing of a recorded name', async () => {
    const agent = makeAgent({ name: '\u001B]0;owned\u0007\u009B2J\u202EOtter\nfake line' });
    await createAgentStore(database.engine).load([agent]);
    await act('hide', agent.id);
    for (const args of [['log'], ['log', '--json']]) {
      const { stdout } = await run(...args);
      expect(stdout).toContain('Otter');
      expect(stdout).not.toMatch(/(?![\n\t])[\p{Cc}\u202E]/u);
      expect(stdout.trim().split('\n')).toHaveLength(1);
    }
  });

  test('what cannot be recorded does not happen', async () => {
    const own = await open();
    const agents = createAgentStore(own.engine);
    const { agent } = await agents.register(makeNewAgent(), {});
    await agents.report(agent.id, { reason: 'spam', text: null });
    await sql`ALTER TABLE operator_actions RENAME TO gone`.execute(own.engine.db);
    const operator = createOperatorStore(own.engine, { command: 'test', ...ana });
    const [selection, newcomer] = [{ ids: new Set([agent.id]) }, makeAgent()];
    for (const change of [
      () => operator.hide(selection, reason),
      () => operator.hold(selection),
      () => operator.setKeyHash(agent.id, 'hash'),
      () => operator.dismissReports([agent.id]),
      () => operator.add([newcomer]),
    ]) {
      await expect(change()).rejects.toThrow(/operator_actions/);
    }
    expect(await agents.list()).toEqual([agent]);
    const inspected = await operator.inspect(agent.id);
    await own.remove();
    expect(inspected).toMatchObject({ state: 'listed', hasKey: false, reports: [{ reason: 'spam' }] });
  });
});
