import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createManagementKey,
  toClaimText,
  type Agent,
  type HistoryEntry,
  type NewAgent,
} from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { hashKey } from '../agents/find-owned.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { createPublicationStore } from '../publisher/publication-store.ts';
import { createAgentStore } from '../stores.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { startHttpsWebsite, type HttpsWebsite } from '../testing/https-website.ts';
import { makePublisherKey, startNameServer, toPublicText } from '../testing/publisher.ts';
import { postJson, startTestApp, type TestApp } from '../testing/test-app.ts';
import { openWebsiteChecks } from './check-website.ts';

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '../../../../packages/client/src/cli/cli.ts');
const ORIGIN = 'https://registry.example';
const [own, other, curve] = [makePublisherKey(), makePublisherKey(), makePublisherKey('ecdsap384')];
const connections = [{ kind: 'mcp', transport: 'streamable-http', url: 'https://website.example/mcp' }] as const;

describe.each(surfaceEngines)('claims by the key of a domain on $name', ({ open }) => {
  let database: TestDatabase;
  let engine: TestDatabase['engine'];
  let website: HttpsWebsite;
  let names: Awaited<ReturnType<typeof startNameServer>>;
  let app: TestApp;
  let hosts: Record<string, string>;
  let onRequest: () => Promise<unknown>;
  const records: Record<string, string[]> = { 'website.example': [curve.record], 'shared.example': [own.record] };

  beforeAll(async () => {
    database = await open();
    engine = { ...database.engine, serverNamespace: 'example.registry' };
    names = await startNameServer(records);
    website = await startHttpsWebsite(async ({ headers: { host = '' } }, response) => {
      await onRequest();
      response.end(hosts[host]);
    });
  });

  beforeEach(async () => {
    await database.empty();
    onRequest = async () => {};
    hosts = { 'website.example': own.record, 'other.example': other.record };
    const sharedHosts = ['shared.example'];
    const websites = await openWebsiteChecks(engine, {
      fetch: website.fetch,
      nameServers: [names.address],
      sharedHosts,
    });
    app = await startTestApp({ database: { engine }, PUBLIC_URL: ORIGIN, websites, agents: createAgentStore(engine) });
    return () => app.close();
  });

  afterAll(async () => {
    names.close();
    website.close();
    await database.remove();
  });

  const newKey = createManagementKey();

  async function load(fields: Partial<Agent> = {}): Promise<Agent> {
    const agent = makeAgent({ website: 'https://website.example/about', ...fields });
    await app.agents.load([agent]);
    return agent;
  }

  /** Publishes an agent as the key of a domain does. */
  async function publish(domain: string, fields: Partial<NewAgent> = {}): Promise<string> {
    const agent = makeNewAgent({ website: null, connections: [...connections], ...fields });
    const server = { name: 'example.other/x', version: '1.0.0', content: 'x', document: null, noted: [], words: [] };
    const publisher = { domain, place: 'http' } as const;
    const publishing = { publisher, sharedHosts: [], review: undefined, closed: undefined };
    const store = createPublicationStore(engine);
    await store.publish({ ...server, fields: agent }, publishing);
    return (await store.find(server.name))!.stored.agent.id;
  }

  async function post(id: string, step: string, body?: object, key = newKey) {
    const headers = { 'management-key': key, accept: 'application/json' };
    const url = `${app.url}/api/agents/${id}/${step}`;
    const response = await (body ? postJson(url, body, headers) : fetch(url, { method: 'POST', headers }));
    return {
      status: response.status,
      ...((await response.json()) as Partial<Agent> & { challenge?: string; detail?: string }),
    };
  }

  type Changes = {
    key?: typeof own;
    domain?: string;
    method?: string;
    text?: string;
    origin?: string;
    signedId?: string;
  };

  async function claim(
    id: string,
    { key = own, domain = 'website.example', method = 'http', ...changes }: Changes = {},
  ) {
    // Without a website there is none.
    const { challenge = 'x' } = await post(id, 'website-challenge');
    const { origin = ORIGIN, signedId = id, text = toClaimText({ origin, id: signedId, challenge }) } = changes;
    return post(id, 'website-claim', { domain, method, challenge, signature: key.sign(text) });
  }

  test.each<[string, Changes]>([
    ['the key of the host', {}],
    ['a key of the host in TXT records', { key: curve, method: 'dns' }],
  ])('%s replaces the management key and proves the website', async (_case, changes) => {
    const { id } = await load();
    await createOperatorStore(engine).setKeyHash(id, hashKey('former'));
    expect(await claim(id, changes)).toMatchObject({ status: 200, id, websiteProof: 'key' });
    expect(await app.agents.findOwned(id, newKey)).toMatchObject({ agent: { id } });
    expect(await app.agents.findOwned(id, 'former')).toBe('unauthorized');
    const page = await (await fetch(`${app.url}/api/agents/${id}/history`)).json();
    expect((page as HistoryEntry[])[0]).toMatchObject({ change: 'updated', actor: 'website' });
  });

  test.each<[string, Partial<Agent>, Changes, number]>([
    ['a key of a host above it, by DNS', { website: 'https://a.website.example/' }, { key: curve, method: 'dns' }, 200],
    ['a key of a host above it, by HTTP', { website: 'https://a.website.example/' }, {}, 422],
    ['a key of a host below it', { website: 'https://example/' }, { key: curve, method: 'dns' }, 422],
    ['a key of another host', {}, { key: other, domain: 'other.example' }, 422],
    [
      'a key of a shared host above it',
      { website: 'https://a.shared.example/' },
      { domain: 'shared.example', method: 'dns' },
      422,
    ],
    ['another key', {}, { key: other }, 422],
    ['a time that was signed for a login', {}, { text: new Date().toISOString() }, 422],
    ['a text for another registry', {}, { origin: 'https://other.example' }, 422],
    ['a text for another entry', {}, { signedId: '3f2b8c1e-0000-4000-8000-000000000000' }, 422],
    ['a domain that is none', {}, { domain: '127.0.0.1' }, 422],
    ['no website', { website: null }, {}, 422],
  ])('%s: %#', async (_case, fields, changes, status) => {
    const { id, ...before } = await load(fields);
    expect(await claim(id, changes)).toMatchObject({ status });
    if (status !== 200) expect(await app.agents.find(id)).toEqual({ id, ...before });
  });

  test('a challenge counts for the key and the entry that it was made for, and all fields are needed', async () => {
    const { id } = await load();
    const { challenge = '' } = await post(id, 'website-challenge');
    const signature = own.sign(toClaimText({ origin: ORIGIN, id, challenge }));
    const sent = { domain: 'website.example', method: 'http', challenge, signature };
    expect(await post(id, 'website-claim', sent, createManagementKey())).toMatchObject({ status: 422 });
    for (const name of Object.keys(sent)) {
      const body = Object.fromEntries(Object.entries(sent).filter(([key]) => key !== name));
      expect(await post(id, 'website-claim', body)).toMatchObject({ status: 400 });
    }
    expect(await post(id, 'website-claim', { ...sent, more: 1 })).toMatchObject({ status: 400 });
    expect(await post(id, 'website-claim', sent)).toMatchObject({ status: 200 });
  });

  test('the domain that publishes an entry gets its first key, without a proof of another website, and no later one', async () => {
    const id = await publish('other.example', { website: 'https://website.example/' });
    expect((await claim(id, { key: other, domain: 'other.example' })).websiteProof).toBeUndefined();
    expect(await app.agents.findOwned(id, newKey)).toMatchObject({ agent: { id } });
    await createOperatorStore(engine).setKeyHash(id, hashKey('operator'));
    expect(await claim(id, { key: other, domain: 'other.example' })).toMatchObject({ status: 422 });
    // Its website stands above that.
    expect(await claim(id)).toMatchObject({ status: 200, websiteProof: 'key' });
  });

  test('an entry without a website is claimed by the domain that publishes it, unless it gets a key meanwhile', async () => {
    const id = await publish('other.example');
    onRequest = () => createOperatorStore(engine).setKeyHash(id, hashKey('operator'));
    expect(await claim(id, { key: other, domain: 'other.example' })).toMatchObject({ status: 412 });
    await engine.db.updateTable('agents').set({ key_hash: null }).execute();
    onRequest = async () => {};
    expect(await claim(id, { key: other, domain: 'other.example' })).toMatchObject({ status: 200, website: null });
    expect(await app.agents.findOwned(id, newKey)).toMatchObject({ agent: { id } });
  });

  test('the command claims with a key file, and says first what that means', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    hosts['website.example'] = `v=MCPv1; k=ed25519; p=${toPublicText(privateKey)}`;
    const websites = await openWebsiteChecks(engine, { fetch: website.fetch });
    const open = await startTestApp({ database: { engine }, websites });
    const { id } = await load();
    const folder = await mkdtemp(join(tmpdir(), 'agent-registry-claim-'));
    onTestFinished(async () => {
      await open.close();
      await rm(folder, { recursive: true });
    });
    const file = join(folder, 'key');
    await writeFile(file, Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url').toString('hex'));
    const runBin = (...args: string[]) =>
      run(process.execPath, [CLI, 'claim', id, '--domain', 'website.example', ...args], {
        env: { ...process.env, REGISTRY_URL: open.url, AGENT_REGISTRY_KEY: newKey },
      });
    await expect(runBin()).rejects.toMatchObject({ code: 2 });
    const { stdout } = await runBin('--private-key-file', file);
    expect(stdout).toMatch(/^From now on .* mcp-publisher gets 409 for it\.\n"Plain Agent" has the management key now/);
    expect(stdout).not.toContain(newKey);
    expect(await app.agents.findOwned(id, newKey)).toMatchObject({ agent: { websiteProof: 'key' } });
  });

  test('checks of keys have the limits of those of websites', async () => {
    const { id } = await load();
    const statuses = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await claim(id, { key: other })).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });
});
