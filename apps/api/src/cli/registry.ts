// What an operator does with a registry from the command line, while processes serve it.
import { Command, CommanderError } from 'commander';
import { backup, restore } from './backup.ts';
import { CommandError } from './command.ts';
import { exportAgents } from './export.ts';
import { hide, show } from './hide.ts';
import { importAgents } from './import.ts';
import { list } from './list.ts';
import { migrate } from './migrate.ts';
import { stats } from './stats.ts';
import { ConfigError } from '../config.ts';
import { DatabaseError, DatabaseUnavailableError } from '../db/engine.ts';

const program = new Command('registry')
  .description('Looks after the registry whose database DATABASE_URL or the file .env names, also while it is served.')
  .exitOverride()
  .showHelpAfterError('registry --help lists the commands.')
  .addHelpText(
    'after',
    `
The exit code is 0 when all was done, 1 when it was not, or not all of it, and 2 for a command
that does not exist or is not given as it must be.
Messages of failures and the bar of progress go to the standard error, what was asked for to the standard output.`,
  );

program
  .command('backup <file>')
  .description('write all that the registry holds into a compressed file, and check it')
  .option('--overwrite', 'replace a file that is there')
  .action(backup);
program
  .command('restore <file>')
  .description('put a backup in place of what the database holds, at once')
  .option('--overwrite', 'also where the database holds agents')
  .action(restore);
program
  .command('import <file>')
  .description('add the agents of a file (.ndjson, .json, .csv); bad lines are set aside in <file>.rejected.ndjson')
  .option('--all-or-nothing', 'add none where one is refused')
  .action(importAgents);
program
  .command('export <file>')
  .description('write all agents that can be seen into a file (.ndjson, .json, .csv)')
  .option('--overwrite', 'replace a file that is there')
  .action(exportAgents);
program
  .command('hide <id>')
  .description('take an agent out of every list, search, count and page')
  .requiredOption('--reason <text>', 'why, for operators only')
  .action(hide);
program.command('show <id>').description('put a hidden agent back as it was').action(show);
program
  .command('list')
  .description('list the agents that can be seen: id, date, name')
  .option('--hidden', 'those that are hidden: id, since when, name, reason')
  .option('--json', 'an object of JSON a line')
  .action(list);
program
  .command('stats')
  .description('tell how much there is in the database')
  .option('--json', 'as an object of JSON')
  .action(stats);
program
  .command('migrate')
  .description('bring the database up to date, as the start of a server does, and say with what')
  .action(migrate);

// Whoever reads the output may have read enough of it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else if (isExpected(error)) {
    process.stderr.write(`${error.message.replace(/\.?$/, '.')}\n`);
    process.exitCode = 1;
  } else {
    throw error;
  }
}

function isExpected(error: unknown): error is Error {
  const kinds = [CommandError, ConfigError, DatabaseError, DatabaseUnavailableError];
  if (kinds.some((kind) => error instanceof kind)) return true;
  // A file that cannot be read or written: the message names it, and why.
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
