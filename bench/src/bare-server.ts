// A bare HTTP server for `service`: it sends what a registry sends, from memory.
import { createServer } from 'node:http';

type Known = { body: Buffer; headers: Record<string, string> };

const { ORIGIN = '' } = process.env;
const known = new Map<string, Known>();

async function read(path: string): Promise<Known> {
  const response = await fetch(ORIGIN + path, { headers: { 'accept-encoding': 'identity' } });
  const etag = response.headers.get('etag') ?? '';
  return { body: Buffer.from(await response.bytes()), headers: { 'content-type': 'application/json', etag } };
}

const server = createServer(async ({ url = '/', headers }, response) => {
  const found = known.get(url) ?? (await read(url));
  known.set(url, found);
  if (headers['if-none-match'] === found.headers['etag']) response.writeHead(304, found.headers).end();
  else response.writeHead(200, { ...found.headers, 'content-length': found.body.length }).end(found.body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
});
