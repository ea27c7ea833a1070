// A lower bound for HTTP responses: `node:http` sends bytes from memory, or a row that SQLite reads by its id.
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import SQLite from 'better-sqlite3';

/** Headers that Node writes by itself. */
const HEADERS_OF_NODE = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

const findAgent = new SQLite(process.argv[2] ?? '', { readonly: true }).prepare('SELECT * FROM agents WHERE id = ?');
let copy: { status: number; headers: IncomingHttpHeaders; body: Buffer } | undefined;

const server = createServer((request, response) => {
  if (request.method === 'PUT') {
    void copyResponse(request).then((body) => response.end(body));
  } else if (request.url?.startsWith('/api/agents/') && copy === undefined) {
    const body = JSON.stringify(findAgent.get(request.url.slice('/api/agents/'.length)));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  } else if (copy) {
    const { status, headers, body } = copy;
    response.writeHead(status, status === 304 ? headers : { ...headers, 'content-length': body.length });
    response.end(body);
  }
});

/** Copies the response of another server, to be sent from memory; without a URL, rows are sent again. */
async function copyResponse(request: IncomingMessage): Promise<string> {
  const { url, headers } = (await json(request)) as { url?: string; headers: Record<string, string> };
  copy = undefined;
  if (url === undefined) return '{}';
  const [response] = (await once(httpRequest(url, { headers, agent: false }).end(), 'response')) as [IncomingMessage];
  const kept = Object.entries(response.headers).filter(([name]) => !HEADERS_OF_NODE.has(name));
  copy = { status: response.statusCode ?? 0, headers: Object.fromEntries(kept), body: await buffer(response) };
  return JSON.stringify({ status: copy.status, headers: copy.headers, bytes: copy.body.length });
}

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('SIGTERM', () => process.exit());
