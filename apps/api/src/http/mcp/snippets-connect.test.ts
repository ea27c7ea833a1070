import { request as requestOverTls } from 'node:https';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  buildSnippets,
  mcpClients,
  moreMcpClients,
  type Connection,
  type ConnectionInput,
  type Snippet,
} from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHttpsWebsite, type HttpsWebsite } from '../../testing/https-website.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { certificate } from '../../testing/tls-certificate.ts';

const URL_OF_SERVER = 'https://website.example/mcp';
const SECRET = 'secret-of-the-visitor';

let app: TestApp;
let website: HttpsWebsite;
/** The headers that the server asks for; requests without them get 401. */
let asked: string[];

beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: 'https://website.example' });
  website = await startHttpsWebsite((request, response) => {
    const isMissing = asked.some((name) => ![SECRET, `Bearer ${SECRET}`].includes(String(request.headers[name])));
    if (isMissing) response.writeHead(401).end();
    else app.app.server.emit('request', request, response);
  });
});

afterAll(async () => {
  website.close();
  await app.close();
});

/** Fetches from the server of the test by its host name, with its certificate. */
const fetchFromServer: typeof fetch = async (input, init) => {
  const { url, method, headers, body } = new Request(input, init);
  const { hostname, pathname } = new URL(url);
  const sent = body ? Buffer.from(await new Response(body).arrayBuffer()) : undefined;
  return new Promise<Response>((resolve, reject) => {
    const { port } = website.server.address() as AddressInfo;
    const options = { host: '127.0.0.1', servername: hostname, port, path: pathname, method, ca: certificate };
    const all = { ...Object.fromEntries(headers), host: hostname, ...(sent && { 'content-length': sent.length }) };
    requestOverTls({ ...options, headers: all, agent: false }, (response) => {
      void buffer(response).then(
        (bytes) =>
          resolve(
            new Response(bytes.length > 0 ? bytes : null, {
              status: response.statusCode ?? 0,
              headers: response.headers as Record<string, string>,
            }),
          ),
        reject,
      );
    })
      .on('error', reject)
      .end(sent);
  });
};

type Parsed = { url?: string; serverUrl?: string; headers?: Record<string, string> };

/** Reads the address and the headers of a snippet from its text, as the client for which it is does. */
function parseSnippet({ text }: Snippet): Parsed {
  const json = /'(\{.*\})'$/.exec(text)?.[1] ?? (text.startsWith('{') ? text : undefined);
  if (json !== undefined) return findServer(JSON.parse(json));
  if (text.startsWith('[')) {
    const names = [...text.matchAll(/"([\w-]+)" = "(\w+)"/g)].map(([, name, variable]) => [name, `$${variable}`]);
    return { url: /^url = "(.*)"$/m.exec(text)![1]!, headers: Object.fromEntries(names) as Record<string, string> };
  }
  if (text.startsWith('goose:')) return { url: new URL(text).searchParams.get('url')! };
  const words = [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const headers = words.flatMap((word, index) => (words[index - 1] === '--header' ? [word.split(': ')] : []));
  const variable = words[words.indexOf('--bearer-token-env-var') + 1];
  if (words.includes('--bearer-token-env-var')) headers.push(['Authorization', `$${variable}`]);
  return {
    url: words.find((word) => word.startsWith('https:'))!,
    headers: Object.fromEntries(headers) as Record<string, string>,
  };
}

function findServer(json: unknown): Parsed {
  if (typeof json !== 'object' || json === null) return {};
  if ('url' in json || 'serverUrl' in json) return json as Parsed;
  return (
    Object.values(json)
      .map(findServer)
      .find(({ url, serverUrl }) => url ?? serverUrl) ?? {}
  );
}

/** The value in the place of a placeholder or a reference. */
function fillIn([name, value]: [string, string]): [string, string] {
  expect(value).toMatch(/^(?:\$\{(?:input|env):[\w-]+\}|\$\w+|YOUR_\w+)$/);
  return [name, name === 'Authorization' ? `Bearer ${SECRET}` : SECRET];
}

const input = (name: string): ConnectionInput => ({ name, description: 'Key', required: true, secret: true });
const toConnection = (...names: string[]): Connection => ({
  kind: 'mcp',
  transport: 'streamable-http',
  url: URL_OF_SERVER,
  ...(names.length > 0 && { headers: names.map(input) }),
});
const rows = [[], ['X-Api-Key'], ['Authorization'], ['X-Api-Key', 'X-Tenant']].flatMap((names) =>
  buildSnippets(makeAgent({ connections: [toConnection(...names)] }), [...mcpClients, ...moreMcpClients]).map(
    (snippet) => [snippet.label, names, snippet] as const,
  ),
);

test.each(rows)('a client connects with the snippet of %s for the headers %j', async (_label, names, snippet) => {
  asked = names.map((name) => name.toLowerCase());
  const { url, serverUrl, headers = {} } = parseSnippet(snippet);
  const transport = new StreamableHTTPClientTransport(new URL(url ?? serverUrl ?? ''), {
    fetch: fetchFromServer,
    requestInit: { headers: Object.fromEntries(Object.entries(headers).map(fillIn)) },
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_agents');
  await client.close();
});

test('there is a snippet of each client, for each set of headers that it can send', () => {
  expect(rows.length).toBeGreaterThan(4 * 10);
});
