import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { describeStart, describeStranded, findFreePort } from './start.ts';

const url = 'http://127.0.0.1:3000';

test('a start says the address, where the data is, that samples are invented, and how to stop', () => {
  const text = describeStart({ url, databaseUrl: 'file:data/registry.db', hasSampleData: true });
  expect(text).toContain(url);
  expect(text).toMatch(/in \/.*\/data\/registry\.db\n/);
  expect(text).toContain('invented');
  expect(text).toContain('Ctrl+C');
});

test('a start without sample data does not speak of it, and one on PostgreSQL shows no password', () => {
  const text = describeStart({ url, databaseUrl: 'postgres://user:secret@db/registry', hasSampleData: false });
  expect(text).toContain('PostgreSQL');
  expect(text).not.toMatch(/secret|sample/);
});

test('a start names the categories that agents have and the site configuration lacks', () => {
  const categories = [{ id: 'chatbot' }];
  expect(describeStranded({ chatbot: 3 }, categories)).toBeUndefined();
  expect(describeStranded({ chatbot: 3, legacy: 1 }, categories)).toMatch(/^1 agent has .+: legacy \(1\)\./);
  expect(describeStranded({ chatbot: 3, legacy: 1, old: 4 }, categories)).toMatch(
    /^5 agents have .+: legacy \(1\), old \(4\)\./,
  );
});

test('a port that a program listens on is not free', async () => {
  const server = createServer().listen(0);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await findFreePort(port)).toBeGreaterThan(port);
});
