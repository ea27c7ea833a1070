import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { consoleDir, readConfig } from '../config.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { startConsoleProcess } from '../testing/processes.ts';
import { runRegistry } from './run-registry.ts';
import { runsAll } from '../testing/tier.ts';

// A start needs the built page.
const isBuilt = existsSync(join(consoleDir, 'index.html'));
let database: TestDatabase;

beforeAll(async () => {
  database = await engines[0].open();
  return () => database.remove();
});

async function registry(...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runRegistry(args, {
    stdout,
    stderr,
    loadConfig: () => readConfig({ DATABASE_URL: database.url }),
  });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

test.each([
  [['--port', '65536'], /^--port must be a whole number from 0 to 65535\.\n$/],
  [['--port', '-1'], /^--port must be/],
  [['--by', ' '], /^The name .*\.\n$/],
])('%j is refused in a sentence', async (args, sentence) => {
  const { code, stderr } = await registry('console', ...args);
  expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
});

describe.runIf(isBuilt)('the command', () => {
  test.each(runsAll ? (['SIGINT', 'SIGTERM'] as const) : (['SIGTERM'] as const))(
    'prints an address, serves it, and ends with 0 at %s',
    async (signal) => {
      const console = await startConsoleProcess(tmpdir(), { DATABASE_URL: database.url }, ['--by', 'Ana']);
      const { url, log } = console;
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
      const opened = await fetch(url, { redirect: 'manual' });
      const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      expect(opened.status).toBe(303);
      expect((await fetch(new URL('/', url), { headers: { cookie } })).status).toBe(200);
      expect(await console.stop(signal)).toBe(0);
      // The token is where the operator reads it, and nowhere else.
      expect(log.filter((line) => line.includes(new URL(url).search))).toHaveLength(1);
    },
  );

  test('a port that another program has is named', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await registry('console', '--port', String(port));
    server.close();
    expect([code, stderr]).toEqual([1, expect.stringMatching(`^Another program uses port ${port}\\.`)]);
  });
});
