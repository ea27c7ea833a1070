import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identifyBuild } from './build-id.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  await mkdir(join(folder, 'agents'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, 'server.js'), 'start();');
  await writeFile(join(folder, 'agents', 'router.ts'), 'export {};');
});

afterEach(() => rm(folder, { recursive: true }));

test('a build has one name, until a file of the server, one of the web app or a setting is another', async () => {
  const identify = (settings: unknown[] = [false]) => identifyBuild(folder, settings, folder);
  const first = identify();
  expect(first).toMatch(/^[\w-]{8}$/);
  expect(identify()).toBe(first);
  expect(identify([true])).not.toBe(first);
  const ofServer = () => identifyBuild(undefined, [], folder);
  const before = ofServer();
  await writeFile(join(folder, 'agents', 'router.ts'), 'export { one };');
  expect(ofServer()).not.toBe(before);
  const between = identify();
  await writeFile(join(folder, 'page.css'), 'a {}');
  expect(identify()).not.toBe(between);
});

test('the folder of the server is that of all its source', () => {
  expect(identifyBuild(undefined, [])).toBe(identifyBuild(undefined, [], join(import.meta.dirname, '../..')));
});
