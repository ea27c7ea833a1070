import { randomUUID } from 'node:crypto';
import { createManagementKey, replaceHidden } from '@agent-registry/contracts';
import { hostileTexts } from '@agent-registry/contracts/testing/hostile-agents';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { hashKey } from '../agents/find-owned.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { runCommandLine } from '../testing/source-server.ts';

// The store of the review is tested on both engines.
const [sqlite] = engines;
const key = createManagementKey();
let database: TestDatabase;

beforeAll(async () => {
  database = await sqlite.open();
  return () => database.remove();
});

beforeEach(() => database.empty());

const registry = (...args: string[]) => runCommandLine(database, args);

test('lists, refuses, releases and holds new agents and changes alike', async () => {
  const { engine } = database;
  const store = createAgentStore(engine);
  const { agent: listed } = await store.register(makeNewAgent({ name: 'Otter' }), { key });
  const { agent: held } = await store.register(makeNewAgent({ name: 'Badger' }), { key, isHeld: true });
  await store.update(listed.id, { key }, { name: 'Stoat', website: 'https://a.example/' }, { except: new Set() });
  const kinds = async (option: string) =>
    (await registry('list', option)).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) =>
        line
          .split('\t')
          .toSpliced(1, 1)
          .slice(0, option === '--held' ? 3 : undefined),
      );
  const waiting = [
    [held.id, 'Badger', 'new'],
    [listed.id, 'Otter', 'name, website'],
  ];
  expect(await kinds('--held')).toEqual(waiting);
  const json = (await registry('list', '--held', '--json')).stdout.trim().split('\n');
  expect(json.map((line): unknown => JSON.parse(line))).toMatchObject([
    held,
    { ...listed, proposed: { name: 'Stoat', website: 'https://a.example/' } },
  ]);

  expect(await registry('refuse', held.id)).toMatchObject({ code: 2 });
  expect(await registry('refuse', held.id, '--reason', 'a\nb')).toMatchObject({ code: 1 });
  const refusing = await registry('refuse', held.id, listed.id, '--reason', 'Not yours');
  const lines = `${held.id}\tBadger\n${listed.id}\tOtter\n`;
  expect(refusing).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(`^${lines}Refused: 2 agents\\.\nTo take`) as string,
  });
  expect(await kinds('--held')).toEqual([]);
  expect(await kinds('--refused')).toEqual(waiting.map((row) => [...row, 'Not yours']));
  expect(await registry('hold', held.id, listed.id)).toMatchObject({ code: 0 });
  expect(await kinds('--held')).toEqual(waiting);
  expect(await registry('release', '--host', 'a.example', '--yes')).toEqual({
    code: 0,
    stdout: `Released: Otter (${listed.id}).\n`,
    stderr: '',
  });
  expect(await store.find(listed.id)).toMatchObject({ name: 'Stoat' });
});

test('release --seen lists only what was printed, and nothing that its owner has changed since', async () => {
  const { engine } = database;
  const store = createAgentStore(engine);
  const { agent: listed } = await store.register(makeNewAgent({ name: 'Otter' }), { key });
  const { agent: held } = await store.register(makeNewAgent({ name: 'Badger' }), { key, isHeld: true });
  await store.update(listed.id, { key }, { name: 'Stoat' }, { except: new Set() });
  const ofList = async () =>
    (await registry('list', '--held')).stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t').at(-1) as string);
  const ofShow = async (id: string) => /^seen +(.+)$/m.exec((await registry('show', id)).stdout)?.[1];
  const read = await ofList();
  expect(await Promise.all([held, listed].map(({ id }) => ofShow(id)))).toEqual(read);
  expect(JSON.parse((await registry('list', '--held', '--json')).stdout.split('\n')[0] as string)).toMatchObject({
    seen: read[0],
  });

  for (const [index, { id }] of [held, listed].entries()) {
    await store.update(id, { key }, { name: 'Evil' }, { except: new Set() });
    expect(await registry('release', id, '--seen', read[index] as string)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Nothing was changed: an entry is no longer as you saw it. Read it again.\n',
    });
    expect((await store.find(id))?.name).toBe(index === 0 ? undefined : 'Otter');
    const again = (await ofShow(id)) as string;
    expect(await registry('release', id, '--seen', again)).toMatchObject({ code: 0 });
    expect((await store.find(id))?.name).toBe('Evil');
    expect(await ofShow(id)).toBeUndefined();
  }
  for (const wrong of [
    [held.id, listed.id],
    [held.id, '--text', 'a', '--yes'],
    ['--text', 'a'],
  ]) {
    expect(await registry('release', ...wrong, '--seen', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--seen is the hash of one agent') as string,
    });
  }
});

test('show prints all that is known of an agent, on lines that a terminal obeys nothing of', async () => {
  const { engine } = database;
  const store = createAgentStore(engine);
  const texts = [...hostileTexts['control characters'], ...hostileTexts['direction of writing']];
  for (const hostile of texts) {
    const agent = makeAgent({ name: hostile, description: `${hostile}\n${hostile}`, capabilities: [hostile] });
    await store.load([agent]);
    await createOperatorStore(engine).setKeyHash(agent.id, hashKey(key));
    await store.update(agent.id, { key }, { description: 'New.' });
    await store.update(agent.id, { key }, { name: 'Stoat' }, { except: new Set() });
    await store.report(agent.id, { reason: 'spam', text: hostile });
    const { code, stdout } = await registry('show', agent.id);
    expect(code).toBe(0);
    const labels = stdout.split('\n').map((line) => line.slice(0, 18).trimEnd());
    expect(labels).toEqual(expect.arrayContaining(['state', 'description', 'proposed change', 'report', 'history']));
    expect(labels.filter((label) => label === 'name' || label === '  name')).toEqual(['name', '  name']);
    expect(replaceHidden(stdout.replaceAll('\n', ' '), () => '!')).toBe(stdout.replaceAll('\n', ' '));
    const { stdout: json } = await registry('show', agent.id, '--json');
    expect(replaceHidden(json.trimEnd(), () => '!')).toBe(json.trimEnd());
    expect(JSON.parse(json)).toMatchObject({
      agent: { id: agent.id, name: hostile, description: 'New.' },
      state: 'listed',
      proposal: { patch: { name: 'Stoat' } },
      reports: [{ reason: 'spam', text: hostile }],
    });
  }
  expect(await registry('show', randomUUID())).toMatchObject({ code: 1, stderr: 'No agent matches.\n' });
});

test('edit changes agents of every state, and refuses what no registration may have', async () => {
  const { engine } = database;
  const store = createAgentStore(engine);
  const operator = createOperatorStore(engine);
  const stranded = makeAgent({ category: 'robots' });
  await store.load([stranded]);
  const { agent: held } = await store.register(makeNewAgent(), { isHeld: true });
  await operator.hide({ ids: new Set([stranded.id]) }, 'Spam');
  for (const { id } of [stranded, held]) {
    const edit = await registry('edit', id, 'name=A = B', 'capabilities=["a","b"]', 'website=null', 'category=vision');
    expect(edit).toEqual({ code: 0, stdout: `Changed: A = B (${id}).\n`, stderr: '' });
    const fields = { name: 'A = B', capabilities: ['a', 'b'], website: null, category: 'vision' };
    expect((await operator.inspect(id))?.agent).toMatchObject(fields);
  }
  for (const setting of [
    'rating=5',
    'category=robots',
    'name',
    'name=',
    'capabilities=[',
    'website=javascript:alert(1)',
  ]) {
    const { code, stderr } = await registry('edit', held.id, setting);
    expect([setting, code, stderr]).toEqual([setting, 1, expect.stringMatching(/^[^\n]+\.\n$/)]);
  }
});
