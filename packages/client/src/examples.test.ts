import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from '@agent-registry/api/testing/test-app';
import { makeGreatestAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createManagementKey } from './create-management-key.ts';
import { runsAll } from '@agent-registry/api/testing/tier';

const run = promisify(execFile);
const examples = join(import.meta.dirname, '../../../examples');
const KEY = createManagementKey();

type Mirror = { after: string | null; agents: Record<string, object> };

/** A folder with the example and the client, as a user has it. */
let folder: string;
let file: string;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-examples-'));
  app = await startTestApp();
  file = join(folder, 'agents.json');
  await copyFile(join(examples, 'mirror.mts'), join(folder, 'mirror.mts'));
  await mkdir(join(folder, 'node_modules/@agent-registry'), { recursive: true });
  await symlink(join(import.meta.dirname, '..'), join(folder, 'node_modules/@agent-registry/client'));
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => rm(file, { force: true }));

/** Runs the example with the typed client until it has the changes of now; it would follow the registry for ever. */
async function runWithClient(): Promise<void> {
  const mirror = spawn(process.execPath, ['mirror.mts', app.url, file], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(mirror, 'exit');
  const isDone = `${await app.agents.count()} agents after `;
  for await (const line of createInterface(mirror.stdout)) if (line.startsWith(isDone)) mirror.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
}

async function runWithCurl(): Promise<void> {
  await run(join(examples, 'mirror.sh'), [app.url, file]);
}

const hasJq = await run('jq', ['--version']).then(
  () => true,
  () => false,
);

/** The agents by id, as the registry lists them, without contact addresses. */
async function listAgents(): Promise<Mirror['agents']> {
  const { agents } = await app.agents.findAll(Object.keys((await readMirror()).agents), Infinity);
  expect(agents).toHaveLength(await app.agents.count());
  return Object.fromEntries(agents.map((agent) => [agent.id, { ...agent, contactEmail: undefined }]));
}

async function readMirror(): Promise<Mirror> {
  return JSON.parse(await readFile(file, 'utf8')) as Mirror;
}

// A machine without jq gets the sentence of the script, below.
const mirrors = [
  { name: 'the typed client', update: runWithClient },
  ...(hasJq ? [{ name: 'curl and jq', update: runWithCurl }] : []),
];

describe.runIf(runsAll).each(mirrors)('the mirror with $name', ({ update }) => {
  test('has the agents of the list, and after changes again', async () => {
    const options = { key: KEY, isHeld: false };
    const edited = await app.agents.register(makeNewAgent(), options);
    const withdrawn = await app.agents.register(makeNewAgent({ name: '<b>"$(id)' }), options);
    // More than one page has room for, with a limit that is not reached.
    await app.agents.load(Array.from({ length: 30 }, () => makeGreatestAgent()));
    await update();
    expect((await readMirror()).agents).toEqual(await listAgents());

    const authority = { key: KEY, expected: undefined };
    await app.agents.update(edited.agent.id, authority, { name: 'Renamed' });
    await app.agents.withdraw(withdrawn.agent.id, authority);
    await app.agents.register(makeNewAgent(), options);
    const { after } = await readMirror();
    await update();
    const mirror = await readMirror();
    expect(mirror.agents).toEqual(await listAgents());
    expect(mirror.agents).toHaveProperty([edited.agent.id, 'name'], 'Renamed');
    expect(mirror.after).not.toBe(after);
  });

  test('starts anew where the registry no longer knows the cursor', async () => {
    await app.agents.register(makeNewAgent(), { key: KEY, isHeld: false });
    await writeFile(file, JSON.stringify({ after: 'AAAAAAAAAAAA.1', agents: { gone: {} } }));
    await update();
    expect((await readMirror()).agents).toEqual(await listAgents());
  });
});

test('without jq the mirror with curl says so, and leaves the file alone', async () => {
  const started = run('/bin/sh', [join(examples, 'mirror.sh'), app.url, file], { env: { PATH: folder } });
  await expect(started).rejects.toMatchObject({ code: 1, stderr: 'This example needs jq: https://jqlang.org\n' });
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('the configuration of an assistant leads it to the tools of a registry on this machine', async () => {
  const text = await readFile(join(examples, 'mcp.json'), 'utf8');
  const configuration = JSON.parse(text) as { mcpServers: Record<string, { type: string; url: string }> };
  expect(configuration).toEqual({
    mcpServers: { 'agent-registry': { type: 'http', url: 'http://localhost:3000/mcp' } },
  });
  const { pathname } = new URL(configuration.mcpServers['agent-registry']!.url);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(pathname, app.url)));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('search_agents');
});
