import { say, withDatabase, type CommandContext } from './command.ts';

/** Migrates the database, as the start of a server does. */
export async function migrate(context: CommandContext): Promise<void> {
  await withDatabase(
    context,
    async ({ migrations }) => {
      for (const name of migrations) say(context, `Done: ${name}`);
      if (migrations.length === 0) say(context, 'The database is up to date.');
    },
    'any',
  );
}
