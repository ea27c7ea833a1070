import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startConsoleProcess, startServerProcess } from '@agent-registry/api/testing/processes';
import { createClient } from '@agent-registry/client';
import { expect, test } from '@playwright/test';

const packScript = join(import.meta.dirname, '../scripts/package.ts');
const backupJob = join(import.meta.dirname, '../deploy/daily-backup.mjs');
/** A quarter of a gigabyte, less the base image of the Dockerfile. */
const MAX_SIZE = 250_000_000 - 30_000_000;

let folder: string;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'registry-package-'));
});

test.afterAll(() => rm(folder, { recursive: true }));

test(
  'a packed registry runs without the repository, and its backup job keeps two weeks',
  { tag: ['@desktop', '@all'] },
  async () => {
    const packed = join(folder, 'packed');
    const run = promisify(execFile);
    await run(process.execPath, [packScript, packed]);
    const before = await listFiles(packed);
    expect(Object.values(before).reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MAX_SIZE);

    const main = join(packed, 'apps/api/dist/main.js');
    const server = await startServerProcess(
      folder,
      { PORT: '0', METRICS_PORT: '0', SHUTDOWN_DELAY: '0' },
      { entry: [main] },
    );
    try {
      const [agent] = await createClient({ url: server.url }).agents.list.query();
      const page = await (await fetch(`${server.url}/agent/${agent?.id}`)).text();
      expect(page.includes(`${agent?.name}</h1>`)).toBe(true);
      const links = [/(\/assets\/[\w-]+\.js)/, /"og:image" content="([^"]+)"/].map(
        (link) => link.exec(page)?.[1] ?? '',
      );
      // The script of the page, and the Open Graph image: drawn with fonts and packages that have native binaries.
      const responses = await Promise.all(links.map((link) => fetch(new URL(link, server.url))));
      expect(responses.map(({ headers }) => headers.get('Content-Type'))).toEqual([
        expect.stringContaining('javascript'),
        'image/png',
      ]);

      const rules = await readFile(join(import.meta.dirname, '../deploy/alerts.yml'), 'utf8');
      const [, metricsPort] = /"port":(\d+)/.exec(server.log.join('\n')) ?? [];
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const names = rules.match(/\b(?:http|database|moderation|nodejs|process)_\w+/g) ?? [];
      expect(names.filter((name) => !metrics.includes(`\n${name}`))).toEqual([]);

      // The packed Node, and the database that the server uses.
      const registry = (...args: string[]) =>
        run(join(packed, 'bin/node'), [join(packed, 'apps/api/dist/registry.js'), ...args], { cwd: folder, env: {} });
      expect((await registry('backup', 'registry.backup')).stdout).toContain('Backed up');
      expect((await registry('restore', '--overwrite', 'registry.backup')).stdout).toContain('Restored');

      const opened = await startConsoleProcess(folder, {}, [], join(packed, 'apps/api/dist/registry.js'));
      // The address leads on with a cookie, which fetch does not keep.
      expect((await fetch(opened.url)).status).toBe(401);
      expect(await opened.stop('SIGTERM')).toBe(0);

      const backups = join(folder, 'backups');
      await mkdir(backups);
      const days = Array.from({ length: 14 }, (_, index) => `2026-01-${String(index + 10)}.backup`);
      const kept = 'before-2026-01-01.backup';
      await Promise.all([...days, kept].map((name) => writeFile(join(backups, name), '')));
      const job = spawn(process.execPath, [backupJob, backups, join(packed, 'apps/api/dist/registry.js')], {
        cwd: folder,
        env: {},
      });
      const today = `${new Date().toISOString().slice(0, 10)}.backup`;
      await expect.poll(() => readdir(backups)).toEqual([...days.slice(1), today, kept]);
      const ofBackups = await (await fetch('http://127.0.0.1:9464')).text();
      expect(ofBackups).toContain(`timestamp_seconds ${(await stat(join(backups, today))).mtimeMs / 1_000}\n`);
      job.kill();

      // What the timer of systemd removes.
      const unit = await readFile(join(import.meta.dirname, '../deploy/agent-registry-backup.service'), 'utf8');
      const [, conditions = ''] = /^ExecStartPost=\/usr\/bin\/find \S+ (.+)$/m.exec(unit) ?? [];
      for (const name of [...days.slice(1), kept]) await utimes(join(backups, name), 0, 0);
      await run('sh', ['-c', `find . ${conditions}`], { cwd: backups });
      expect(await readdir(backups)).toEqual([today, kept]);
    } finally {
      expect(await server.stop('SIGTERM')).toBe(0);
    }
    // The root file system of the container is read-only.
    expect(await listFiles(packed)).toEqual(before);
  },
);

test(
  'a packed package is installed in an empty folder, where it runs and is operated',
  { tag: ['@desktop', '@all'] },
  async () => {
    const run = promisify(execFile);
    const project = join(folder, 'project');
    await mkdir(project);
    await run(process.execPath, [packScript, join(folder, 'registry.tgz')]);
    await run('npm', ['install', '--no-audit', '--no-fund', join(folder, 'registry.tgz')], { cwd: project });
    const [packed = ''] = await readdir(join(project, 'node_modules/@agent-registry'));
    const command = join(project, 'node_modules/@agent-registry', packed, 'bin/agent-registry.js');
    expect(await realpath(join(project, 'node_modules/.bin/agent-registry'))).toBe(await realpath(command));

    const server = await startServerProcess(project, { PORT: '0', SHUTDOWN_DELAY: '0' }, { entry: [command, 'start'] });
    try {
      const [agent] = await createClient({ url: server.url }).agents.list.query();
      expect(await (await fetch(`${server.url}/agent/${agent?.id}`)).text()).toContain(`${agent?.name}</h1>`);
      const { stdout } = await run(process.execPath, [command, 'stats', '--json'], { cwd: project, env: {} });
      expect(JSON.parse(stdout)).toHaveProperty('agents');
    } finally {
      expect(await server.stop('SIGTERM')).toBe(0);
    }

    const older = 'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.9.0" } })';
    const refused = spawnSync(process.execPath, ['--import', older, command, 'start'], { encoding: 'utf8' });
    expect(refused).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The registry needs Node\.js 24.+\n$/),
    });
  },
);

test('an existing folder is not overwritten', { tag: ['@desktop', '@all'] }, () => {
  const { status, stderr } = spawnSync(process.execPath, [packScript, folder], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: `${folder} exists. Name a new folder.\n` });
});

async function listFiles(root: string): Promise<Record<string, { size: number; changed: number }>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const stats = await Promise.all(files.map(async (file) => [file, await stat(file)] as const));
  return Object.fromEntries(stats.map(([file, { size, mtimeMs }]) => [file, { size, changed: mtimeMs }]));
}
