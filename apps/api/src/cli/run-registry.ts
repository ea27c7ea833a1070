import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { DatabaseError, DatabaseUnavailableError } from '../database-error.ts';
import { RegistryError } from '../registry-error.ts';
import { addActingOptions, CommandError, type CommandContext } from './command.ts';
import { addChangeCommands } from './agent-commands.ts';
import { backup, restore } from './backup.ts';
import { addDatabaseCommands } from './database-commands.ts';
import { exportAgents } from './export.ts';
import helpTexts from './help-texts.json' with { type: 'json' };
import { importAgents } from './import.ts';
import { list, search, show } from './list.ts';
import { addHiddenAtOption, addSelectionOptions } from './selection-options.ts';
import { pin, sync, unpin } from './sync.ts';
import { addWebhookCommands } from './webhook.ts';

/**
 * Runs the operator's command line. An error of the operator's is written to the standard error as one sentence.
 * @param args the command and its arguments
 * @returns the exit code, as the help says
 */
export async function runRegistry(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    await createProgram(context).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isExpected(error)) throw error;
    context.stderr.write(`${describe(error).replace(/\.?$/, '.')}\n`);
    return 1;
  }
}

function createProgram(context: CommandContext): Command {
  const program = new Command('registry')
    .description('Manages the registry in the database of DATABASE_URL or .env, also while servers are running.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
    })
    .showHelpAfterError('Run registry --help for a list of commands.')
    .addHelpText(
      'after',
      `
Exit codes: 0 success, 1 failure, partial success or an invalid value, 2 an unknown or missing command, option or argument.
Results go to the standard output, errors and progress to the standard error.`,
    );
  addFileCommands(program, context);
  addChangeCommands(program, context);
  addListCommands(program, context);
  addSourceCommands(program, context);
  addDatabaseCommands(program, context);
  addWebhookCommands(program, context);
  for (const [name, text] of Object.entries(helpTexts)) {
    const command = program.commands.find((one) => one.name() === name);
    command?.summary(command.description()).description(`${command.description()}\n\n${text}`);
  }
  return program;
}

function addFileCommands(program: Command, context: CommandContext): void {
  addActingOptions(program.command('backup <file>'))
    .description('write everything to a compressed file and verify it')
    .option('--overwrite', 'replace an existing file')
    .action(bind(context, backup));
  addActingOptions(program.command('restore <file>'))
    .description('replace the content of the database with a backup')
    .option('--overwrite', 'also if the database has agents')
    .action(bind(context, restore));
  addActingOptions(program.command('import <file>'))
    .description(
      'add the agents of a file (.ndjson, .jsonl, .json, .csv, .md); refused entries go to <file>.rejected.ndjson. Can be repeated',
    )
    .option('--contact <email>', 'the contact address of entries without one')
    .option('--category <category>', 'the category of entries without one of this registry')
    .option('--map <column=field...>', 'what columns of a table, or fields of JSON, stand for; others are left out')
    .option('--dry-run', 'print the first ten agents and why each refused entry is refused; change nothing')
    .option('--all-or-nothing', 'add no agent if one is refused')
    .action(bind(context, importAgents));
  program
    .command('export <file>')
    .description('write all visible agents to a file (.ndjson, .jsonl, .json, .csv)')
    .option('--overwrite', 'replace an existing file')
    .option('--contacts', 'with contact emails, also if PUBLIC_CONTACT is page')
    .option(
      '--public',
      'a file for mirrors (.ndjson.gz): all agents without contact emails, and the cursor of the changes',
    )
    .action(bind(context, exportAgents));
}

function addListCommands(program: Command, context: CommandContext): void {
  program
    .command('search <words...>')
    .description('print the first results of a search, as visitors get them')
    .option('--explain', 'also what the score of each is made of')
    .action(bind(context, search));
  program
    .command('show <id>')
    .description('print an agent of any state: all fields, proposed changes, reports and history')
    .option('--json', 'print a JSON object')
    .action(bind(context, show));
  addHiddenAtOption(addSelectionOptions(program.command('list')))
    .description('list visible agents in the order in which they were stored: id, date, name')
    .option('--hidden', 'list hidden agents: id, time of hiding, name, reason')
    .option(
      '--held',
      'list what waits for review: id, since when, name, new or the changed fields, hash for release --seen',
    )
    .option('--refused', 'list what was refused: id, since when, name, new or the changed fields, reason')
    .option('--withdrawn', 'list withdrawn agents: id, time of the withdrawal, name')
    .option('--reported', 'list reported agents: id, number of reports, reasons, name, latest text')
    .option('--json', 'print whole agents, a JSON object per line')
    .action(bind(context, list));
}

/** Adds the commands for agents that come from other registries. */
function addSourceCommands(program: Command, context: CommandContext): void {
  addActingOptions(program.command('sync <file>'))
    .description('follow the sources of a file: list what would be added, changed and withdrawn')
    .option('--yes', 'do it; without it the agents are only listed and counted')
    .option('--complete', 'read the sources from their start, to find what they no longer have')
    .option('--only <name>', 'only the source with this name')
    .option('--many-withdrawals <name>', 'also if this source has lost more than 20 % of its agents')
    .option('--many-additions <name>', 'also if this source, followed before, has added or changed more than 20 %')
    .action(bind(context, sync));
  addActingOptions(program.command('pin <id> <field...>'))
    .description('keep fields of an imported agent: sync does not change them')
    .action(bind(context, pin));
  addActingOptions(program.command('unpin <id> <field...>'))
    .description('let sync change fields of an imported agent again')
    .action(bind(context, unpin));
}

/** Gives a command the context in which it runs. */
function bind<Args extends unknown[]>(
  context: CommandContext,
  command: (context: CommandContext, ...args: Args) => Promise<void>,
) {
  return (...args: Args) => command(context, ...args);
}

/** The message of an error, in which a file has its full path: it says where a relative one was looked for. */
function describe(error: Error): string {
  const { path } = error as NodeJS.ErrnoException;
  return path === undefined ? error.message : error.message.replace(`'${path}'`, `'${resolve(path)}'`);
}

function isExpected(error: unknown): error is Error {
  const kinds = [CommandError, RegistryError, ConfigError, DatabaseError, DatabaseUnavailableError];
  if (kinds.some((kind) => error instanceof kind)) return true;
  // A system error of a file: its message names the file.
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
