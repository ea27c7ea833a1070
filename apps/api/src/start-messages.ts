import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import type { Category } from '@agent-registry/contracts';
import { settingNames } from './config.ts';
import { databasePath } from './db/open-database.ts';
import { editDistance } from './search/forms.ts';

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

/**
 * Says how many agents have a category that the site configuration does not name, so that no list of a category has them;
 * undefined when there are none.
 * @param counts the number of listed agents of each category
 */
export function describeStranded(
  counts: Readonly<Record<string, number>>,
  categories: readonly Pick<Category, 'id'>[],
): string | undefined {
  const known = new Set(categories.map(({ id }) => id));
  const stranded = Object.entries(counts).filter(([id]) => !known.has(id));
  if (stranded.length === 0) return undefined;
  const total = stranded.reduce((sum, [, count]) => sum + count, 0);
  const list = stranded.map(([id, count]) => `${id} (${count})`).join(', ');
  const agents = total === 1 ? '1 agent has' : `${total} agents have`;
  return `${agents} a category that SITE_CONFIG does not name: ${list}. "registry edit" gives them another one.`;
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

/**
 * Names each variable that looks like a misspelled setting: all unknown ones of the file `.env`, and those of the environment
 * that are a letter from a setting, or two letters from a longer one.
 */
export function describeUnknownSettings(envFile: object, environment: object): string[] {
  const inFile = Object.keys(envFile).filter((name) => !settingNames.includes(name));
  const inEnvironment = Object.keys(environment).filter((name) => !inFile.includes(name) && findSetting(name));
  return [
    ...inFile.map((name) => `.env has ${name}, which is no setting${suggest(name)}`),
    ...inEnvironment.map((name) => `The environment has ${name}, which is no setting${suggest(name)}`),
  ];
}

function suggest(name: string): string {
  const setting = findSetting(name);
  return setting === undefined ? '.' : `: is it ${setting}?`;
}

/** The setting that a name was probably meant for, undefined also for a setting itself. */
function findSetting(name: string): string | undefined {
  if (settingNames.includes(name)) return undefined;
  return settingNames.find((setting) => {
    const limit = setting.length < 8 ? 1 : 2;
    return editDistance(name.toUpperCase(), setting, limit) <= limit;
  });
}
