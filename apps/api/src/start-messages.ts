import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { databasePath } from './db/open-database.ts';

/** What a person at a terminal needs to know about a server that has started, one fact a line. */
export function describeStart(start: { url: string; databaseUrl: string; hasSampleData: boolean }): string {
  const path = databasePath(start.databaseUrl);
  return [
    '',
    `Agent Registry is at ${start.url}`,
    `The data is in ${path === undefined ? 'the PostgreSQL database that DATABASE_URL names' : resolve(path)}`,
    ...(start.hasSampleData
      ? ['The sample agents are invented; SAMPLE_DATA=off starts a new database without them']
      : []),
    'Press Ctrl+C to stop',
    '',
  ].join('\n');
}

/** Finds the first port from a number on that no program listens on. */
export async function findFreePort(port: number): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
    return port;
  } catch {
    return port < 65_535 ? await findFreePort(port + 1) : 0;
  } finally {
    server.close();
  }
}
