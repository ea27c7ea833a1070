import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { describeStart, describeStranded, describeUnknownSettings, findFreePort } from './start-messages.ts';

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

test('unknown names of .env are named, and of the environment those that are nearly a setting', () => {
  expect(describeUnknownSettings({ PORT: '1', SITE_NAME: 'x', PUBLIC_ULR: 'x' }, { PUBLIC_ULR: 'x' })).toEqual([
    '.env has SITE_NAME, which is no setting.',
    '.env has PUBLIC_ULR, which is no setting: is it PUBLIC_URL?',
  ]);
  const environment = { HOME: '/root', PATH: '/bin', PORT: '1', TEST_TIER: 'all', PORTS: '1', READ_LIMTS: '1' };
  expect(describeUnknownSettings({}, environment)).toEqual([
    'The environment has PORTS, which is no setting: is it PORT?',
    'The environment has READ_LIMTS, which is no setting: is it READ_LIMIT?',
  ]);
});
