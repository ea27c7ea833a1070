import { say, withDatabase } from './command.ts';

/** Migrates the database, as the start of a server does. */
export async function migrate(): Promise<void> {
  await withDatabase(async ({ migrations }) => {
    for (const name of migrations) say(`Done: ${name}`);
    if (migrations.length === 0) say('The database is up to date.');
  }, 'any');
}
