import { formatCount } from '@agent-registry/contracts';
import { loadConfig, toPostgresSettings } from '../config.ts';
import { openDatabase, type OpenDatabase, type OpenOptions } from '../db/open-database.ts';

/** A command that cannot do what it was asked; the message is one sentence that says why. */
export class CommandError extends Error {}

/**
 * Opens the database of the settings for a command, and closes it at its end.
 * @param migrate which databases are brought up to date first; none by default, since a server of an earlier version may
 * be running
 */
export async function withDatabase<Result>(
  use: (database: OpenDatabase) => Promise<Result>,
  migrate: OpenOptions['migrate'] = 'none',
): Promise<Result> {
  const config = loadConfig();
  const database = await openDatabase(config.DATABASE_URL, {
    // Whoever waits for a command can see that it goes on; no statement of it is too long.
    postgres: { ...toPostgresSettings(config), poolSize: 2, statementTimeout: 0 },
    migrate,
  });
  try {
    return await use(database);
  } finally {
    await database.engine.close();
  }
}

/** Tells the operator something, on a line of the standard output. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A number of things in words, such as `1 agent` or `1,200 agents`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
