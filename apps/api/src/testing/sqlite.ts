import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../db/open-database.ts';

/** Makes the file that the tests of a project copy: creating the tables takes longer than many a test. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-sqlite-'));
  const file = join(folder, 'template.db');
  const { engine } = await openDatabase(`file:${file}`);
  await engine.close();
  project.provide('sqliteTemplate', file);
  return () => rm(folder, { recursive: true });
}
