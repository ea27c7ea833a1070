import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@agent-registry/client';
import { expect, openForm, test as base, validAgent } from './test.ts';

const root = join(import.meta.dirname, '..');
/** The dev servers start within this time, also on a busy machine. */
const slow = { timeout: 60_000 };
const sourceFile = join(root, 'apps/api/src/router.ts');

type Dev = { url: string; lines: readonly string[] };

/** The page of a test comes from `pnpm dev` with a new database. */
const test = base.extend<object, { dev: Dev }>({
  dev: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'registry-dev-'));
      const settings = { DATABASE_URL: `file:${join(folder, 'registry.db')}`, PORT: String(await findPort()) };
      const child = spawn('npx', ['-y', 'pnpm@12', 'dev'], {
        cwd: root,
        env: { ...process.env, ...settings, NO_COLOR: '1' },
        // In a process group of its own, which ends with all that it started.
        detached: true,
      });
      const lines: string[] = [];
      createInterface(child.stdout).on('line', (line) => lines.push(line));
      child.stderr.resume();
      const findUrl = () => lines.flatMap((line) => /Local: +(http:\/\/[^ /]+)/.exec(line)?.[1] ?? [])[0];
      await expect.poll(findUrl, slow).toBeDefined();
      await expect.poll(() => countStarts(lines), slow).toBe(1);
      await use({ url: findUrl() ?? '', lines });
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  baseURL: ({ dev }, use) => use(dev.url),
});

test(
  'dev serves pages, registers agents, and restarts the API when a file is saved',
  { tag: ['@desktop', '@all'] },
  async ({ page, dev }) => {
    const client = createClient({ url: dev.url });
    await openForm(page);
    await page.getByLabel('Agent Name').fill('Half written');
    const { id } = await client.agents.register.mutate(validAgent);

    const now = new Date();
    await utimes(sourceFile, now, now);
    await expect.poll(() => countStarts(dev.lines), slow).toBe(2);
    // Editors such as vim save by renaming a new file.
    await writeFile(`${sourceFile}~`, await readFile(sourceFile));
    await rename(`${sourceFile}~`, sourceFile);
    await expect.poll(() => countStarts(dev.lines), slow).toBe(3);
    await utimes(sourceFile, now, new Date());
    await expect.poll(() => countStarts(dev.lines), slow).toBe(4);

    expect(await client.agents.get.query({ id })).toMatchObject({ name: validAgent.name });
    await expect(page.getByLabel('Agent Name')).toHaveValue('Half written');
  },
);

/** How often the API has started. */
function countStarts(lines: readonly string[]): number {
  return lines.filter((line) => line.includes('Server listening')).length;
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
