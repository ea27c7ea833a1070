import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** A client with one connection that stays open, which takes one request after the other. */
export type HttpClient = {
  /** Reads a path to its end. */
  get(path: string): Promise<Answer>;
  /** Sends a body as JSON, as `put` does. */
  post(path: string, body: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  /** Closes the connection. */
  close(): void;
};

/** An answer that was read to its end. */
export type Answer = {
  headers: IncomingHttpHeaders;
  /** The length of the body, in bytes. */
  length: number;
  body(): string;
};

/** Makes a client of a server. */
export function createHttpClient(url: string): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, JSON.stringify(body)),
    put: (path, body) => send('PUT', path, JSON.stringify(body)),
    close: () => agent.destroy(),
  };

  function send(method: string, path: string, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const outgoing = request(`${url}${path}`, { agent, method, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        let length = 0;
        incoming.on('data', (chunk: Buffer) => {
          length += chunk.length;
          // A whole list is only counted.
          if (length < 1_000_000) chunks.push(chunk);
        });
        incoming.on('error', reject);
        incoming.on('end', () => {
          const status = incoming.statusCode ?? 0;
          if (status >= 400) reject(new Error(`${method} ${path}: ${status} ${Buffer.concat(chunks).toString()}`));
          else resolve({ headers: incoming.headers, length, body: () => Buffer.concat(chunks).toString() });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}
