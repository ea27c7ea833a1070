import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { PublicContact } from '../agents/list-pages.ts';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { buildApp, type AppOptions } from '../app.ts';
import { createChangeStore } from '../changes/change-log.ts';
import { createRateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { engines, type TestDatabase } from './engines.ts';
import { createViewStore, type ViewStore, createViewCounter, type ViewCounter } from '../stats/view-store.ts';
import { createPublicationStore } from '../publisher/publication-store.ts';
import { createServerStore } from '../servers/server-store.ts';
import { createSourceStore } from '../sync/source-store.ts';

/** The page of the site that `withSite` serves. */
export const TEST_PAGE =
  '<!doctype html><head><title>Agent Registry</title><script>document.title += ".";</script></head>';

/** A server entry whose pages show their request; it reads the same data as the real pages. */
const TEST_ENTRY = `
export async function renderPage({ url, origin, template, registration, call, renderMarkup }) {
  const [path, query] = url.split('?');
  const params = new URLSearchParams(query);
  const q = params.get('q');
  const found = q && (await call('agents.search', { q })).data;
  const chosen = (params.get('compare') ?? params.get('keep') ?? '').split(',').filter(Boolean);
  const shown = await Promise.all(chosen.map((id) => call('agents.get', { id })));
  const id = /^\\/agent\\/([^/]+)\\/?$/.exec(path)?.[1];
  const result = path === '/' ? await call('stats.get') : id && (await call('agents.get', { id }));
  const isOurs = result?.failure?.status >= 500;
  const category = result?.data?.category ?? params.get('category');
  const listed = category && (await call('agents.byCategory', { category, limit: 4 })).data;
  const names = listed?.agents.map(({ name }) => name);
  const facts = result?.data && id && (await call('agents.facts', { id })).data;
  const others = [result?.data, ...(found?.agents ?? []), ...shown.map(({ data }) => data), ...(facts?.besides ?? [])];
  const asked = JSON.stringify({ url, origin, registration, names, total: result?.data?.totalAgents, others: others.map((one) => one?.name) });
  const markup = await renderMarkup({ location: { pathname: path, search: '' }, state: asked });
  return { status: result?.data || isOurs ? 200 : 404, html: template + markup, isComplete: !isOurs };
}
export async function manageByForm({ call }, { id, action, asOwner }) {
  if (action === 'edit') {
    const reads = [await call('agents.get', { id }), await asOwner.call('agents.get', { id })];
    return { status: 200, html: JSON.stringify(reads.map(({ data, failure }) => data ?? failure)), isComplete: false };
  }
  const { failure } = await call('agents.withdraw', { id });
  return failure ? { status: failure.status, html: failure.detail, isComplete: true } : { location: '/agent/' + id };
}
export async function prefillByForm({ call }, fields) {
  const { data, failure } = await call('prefill.read', Object.fromEntries(fields));
  return { status: failure?.status ?? 200, html: JSON.stringify(data ?? failure.detail), isComplete: false };
}
export async function registerByForm({ call }, { fields, managementKey }) {
  if (!fields.has('name')) return { status: 400, html: 'Name is required', isComplete: true };
  const { data, failure } = await call('agents.register', Object.fromEntries(fields));
  return data
    ? { status: 201, html: '/agent/' + data.id + '#manage=' + managementKey, isComplete: false }
    : { status: failure.status, html: failure.detail + (fields.get('connections') ?? ''), isComplete: true };
}
`;

/** Options of `startTestApp`. */
export type TestAppOptions = {
  /** The database to work on, which stays open after `close`; by default a new database. */
  database?: Pick<TestDatabase, 'engine'>;
  /** Whether to serve a built web app. It renders in this thread, unless `renderMarkup` is given, also as undefined. */
  withSite?: boolean;
  /** In place of the store of the database: for a store that fails. */
  agents?: AgentStore;
  publicContact?: PublicContact;
  /** In place of the store of the database: for a store that fails. */
  viewStore?: ViewStore;
} & Partial<
  // Rate limits are off by default.
  Omit<AppOptions, 'stores'>
>;

/** The application, listening on a port of its own. */
export type TestApp = {
  /** The address without a slash at the end. */
  url: string;
  app: FastifyInstance;
  agents: AgentStore;
  viewStore: ViewStore;
  views: ViewCounter;
  /** Stops listening, writes the views and removes the files and databases of this application. */
  close(): Promise<void>;
};

const SECRET = `SQLITE_ERROR in SELECT * FROM agents at ${import.meta.filename}:1:2`;

/** A store whose calls all fail; by default with internals in the message that no client may see. */
export function makeFailingStore(error = new Error(SECRET)): AgentStore & ViewStore {
  const fail = async () => {
    throw error;
  };
  return {
    publicContact: 'everywhere',
    list: fail,
    // oxlint-disable-next-line require-yield
    async *stream() {
      throw error;
    },
    page: fail,
    findAll: fail,
    searchWhole: fail,
    latest: fail,
    suggest: fail,
    ofAgent: fail,
    begunAt: fail,
    lastChange: fail,
    search: fail,
    find: fail,
    findReleased: fail,
    isWithdrawn: fail,
    findOwned: fail,
    register: fail,
    registerOnce: fail,
    update: fail,
    takeBack: fail,
    withdraw: fail,
    replaceKey: fail,
    claim: fail,
    endProof: fail,
    report: fail,
    load: fail,
    count: fail,
    countFacets: fail,
    version: fail,
    versionOfCategory: fail,
    isStandby: fail,
    versionsOf: fail,
    countByCategory: fail,
    listMonths: fail,
    datePartsOf: fail,
    streamPart: fail,
    sum: fail,
    add: fail,
  };
}

/** Builds the application as the process does, over a real database, and listens on the loopback address. */
export async function startTestApp({
  database: given,
  withSite,
  agents: givenAgents,
  publicContact,
  viewStore: givenViewStore,
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const database = given ? { engine: given.engine, remove: async () => {} } : await engines[0].open();
  const { engine } = database;
  const agents = givenAgents ?? createAgentStore(engine, { publicContact });
  const viewStore = givenViewStore ?? createViewStore(engine);
  const views = createViewCounter({
    store: viewStore,
    onError: (error) => {
      throw error;
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-web-'));
  if (withSite) await writeSite(folder);
  const app = await buildApp({
    stores: {
      agents,
      changes: createChangeStore(engine.db),
      sources: createSourceStore(engine),
      servers: createServerStore(engine),
      publications: createPublicationStore(engine),
      views,
    },
    rateLimitStore: createRateLimitStore(engine),
    webDir: folder,
    // Other tests can keep the machine busy, which must not cause refusals.
    maxEventLoopDelay: 0,
    // As the worker of the test site does, whose start takes longer than most tests.
    ...(withSite && { renderMarkup: async ({ state }) => String(state) }),
    REGISTER_LIMIT: 0,
    REGISTER_LIMIT_GLOBAL: 0,
    READ_LIMIT: 0,
    editLimit: 0,
    writeBytesPerDay: 0,
    ...options,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    app,
    agents,
    viewStore,
    views,
    async close() {
      await app.close();
      await views.close();
      await database.remove();
      await rm(folder, { recursive: true });
    },
  };
}

async function writeSite(folder: string): Promise<void> {
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), TEST_PAGE);
  await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await mkdir(join(folder, 'server'));
  await writeFile(join(folder, 'server', 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'server', 'entry-server.js'), TEST_ENTRY);
  await writeFile(
    join(folder, 'server', 'render-markup.js'),
    'export const renderMarkup = async ({ state }) => state;',
  );
  await writeFile(join(folder, 'assets', 'x-abc123.js'), 'export {};\n');
}

/** Sends a body as JSON. */
export function postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync };

/** Options of `send`. */
export type RawRequest = {
  method?: string | undefined;
  /** Replaces the path of the URL, unchanged: `URL` would resolve its dots. */
  path?: string | undefined;
  /** Several values are sent as several headers of the name. */
  headers?: Record<string, string | string[]> | undefined;
  body?: string | Uint8Array | undefined;
  /** The address from which it is sent, such as 127.0.0.2. */
  localAddress?: string | undefined;
};

/** Sends a request with exactly the given method and headers; fetch would add headers. */
export async function send(
  url: string,
  { method = 'GET', path, headers = {}, body = '', localAddress }: RawRequest = {},
) {
  const sent = request(url, { method, headers, agent: false, localAddress, ...(path && { path }) }).end(body);
  // The server may respond and close before the whole body is sent.
  sent.on('error', () => {});
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = await buffer(response);
  const decode = bytes.length > 0 ? decoders[response.headers['content-encoding'] ?? ''] : undefined;
  return { status: response.statusCode ?? 0, headers: response.headers, body: String(decode?.(bytes) ?? bytes) };
}

/** Sends bytes unchanged and returns all received bytes once the server has closed the connection. */
export function sendBytes(url: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}
