import { resolve } from 'node:path';
import { sortValues } from '@agent-registry/contracts';
import { Command, CommanderError } from 'commander';
import { ActingError } from '../actions/acting.ts';
import { ConfigError } from '../config.ts';
import { DatabaseError, DatabaseUnavailableError } from '../database-error.ts';
import { addActingOptions } from './acting.ts';
import { backup } from './backup.ts';
import { CommandError, type CommandContext } from './command.ts';
import { openConsoleUntilEnd } from './console.ts';
import { dismissReports } from './dismiss-reports.ts';
import { edit, move } from './edit.ts';
import { erase } from './erase.ts';
import { exportAgents } from './export.ts';
import { hide } from './hide.ts';
import { importAgents } from './import.ts';
import { list } from './list.ts';
import { log } from './log.ts';
import { migrate } from './migrate.ts';
import { hold, refuse, release } from './review.ts';
import { resetKey } from './reset-key.ts';
import { restore } from './restore.ts';
import { addHiddenAtOption, addSelectionOptions } from './selection-options.ts';
import { show } from './show.ts';
import { stats } from './stats.ts';
import { pin, sync, unpin } from './sync.ts';
import { unhide } from './unhide.ts';
import { testWebhook } from './webhook.ts';
import { restoreAgent, withdraw } from './withdraw.ts';

const CONFIRMED = 'do it; without it the agents are only listed and counted';

/**
 * Runs the operator's command line. An error of the operator's is written to the standard error as one sentence.
 * @param args the command and its arguments
 * @returns the exit code: 0 success, 1 failure or partial success, 2 unknown command or invalid arguments
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
Exit codes: 0 success, 1 failure or partial success, 2 unknown command or invalid arguments.
Results go to the standard output, errors and progress to the standard error.`,
    );
  addFileCommands(program, context);
  addAgentCommands(program, context);
  addDatabaseCommands(program, context);
  return program;
}

/** Adds the commands that write or read files. */
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
      'add the agents of a file (.ndjson, .jsonl, .json, .csv); refused entries go to <file>.rejected.ndjson. Can be repeated',
    )
    .option('--all-or-nothing', 'add no agent if one is refused')
    .action(bind(context, importAgents));
  program
    .command('export <file>')
    .description('write all visible agents, or those of a list, to a file (.ndjson, .jsonl, .json, .csv)')
    .option('--overwrite', 'replace an existing file')
    .option('--category <id>', 'only agents of this category')
    .option('--pricing <values>', 'only agents with one of these pricing models, separated by commas')
    .option('--api-access <values>', 'only agents with one of these kinds of API access, separated by commas')
    .option('--sort <order>', `the order: ${sortValues.join(', ')}`)
    .option('--contacts', 'with contact emails, also if PUBLIC_CONTACT is page')
    .option('--excel', 'begin a .csv file with a byte order mark, by which Excel knows UTF-8')
    .action(bind(context, exportAgents));
}
/** Adds the commands that list or change agents. */
function addAgentCommands(program: Command, context: CommandContext): void {
  addActingOptions(addSelectionOptions(program.command('hide [id...]')), { hasReason: false })
    .description(
      'hide the agents that meet all conditions, of any state, from visitors and owners; with options it needs --yes',
    )
    .requiredOption('--reason <text>', 'why, for operators only')
    .option('--yes', CONFIRMED)
    .action(bind(context, hide));
  addActingOptions(addHiddenAtOption(addSelectionOptions(program.command('unhide [id...]'))))
    .description('return the hidden agents that meet all conditions to their former state; with options it needs --yes')
    .option('--yes', CONFIRMED)
    .action(bind(context, unhide));
  addReviewCommands(program, context);
  addSourceCommands(program, context);
  program
    .command('show <id>')
    .description('print an agent of any state: all fields, proposed changes, reports and history')
    .option('--json', 'print a JSON object')
    .action(bind(context, show));
  addActingOptions(program.command('edit <id> <field=value...>'))
    .description('change fields of an agent of any state; JSON for lists and null, such as capabilities=["a","b"]')
    .action(bind(context, edit));
  addActingOptions(addSelectionOptions(program.command('move [id...]')))
    .description('move the agents that meet all conditions, of any state, to a category; with options it needs --yes')
    .requiredOption('--category <id>', 'the new category')
    .option('--from <id>', 'agents of this category, also one that the registry no longer has')
    .option('--yes', CONFIRMED)
    .action(bind(context, move));
  addActingOptions(program.command('withdraw <id...>'))
    .description('withdraw agents of any state, as their owners can; they can be restored for 30 days')
    .action(bind(context, withdraw));
  addActingOptions(program.command('restore-agent <id...>'))
    .description('list withdrawn agents again')
    .action(bind(context, restoreAgent));
  addActingOptions(program.command('reset-key <id>'))
    .description('give an agent a new management key and print it, the only time')
    .action(bind(context, resetKey));
  addActingOptions(addSelectionOptions(program.command('delete [id...]').alias('erase')), { hasReason: false })
    .description('remove agents, visible or not, and everything stored about them for ever; needs --yes')
    .option('--yes', CONFIRMED)
    .action(bind(context, erase));
  addHiddenAtOption(addSelectionOptions(program.command('list')))
    .description('list visible agents in the order in which they were stored: id, date, name')
    .option('--hidden', 'list hidden agents: id, time of hiding, name, reason')
    .option('--held', 'list what waits for review: id, since when, name, new or the changed fields')
    .option('--refused', 'list what was refused: id, since when, name, new or the changed fields, reason')
    .option('--withdrawn', 'list withdrawn agents: id, time of the withdrawal, name')
    .option('--reported', 'list reported agents: id, number of reports, reasons, name, latest text')
    .option('--no-answer', 'list visible agents whose website does not answer: id, since when, name, host')
    .option('--json', 'print whole agents, a JSON object per line')
    .action(bind(context, list));
  addActingOptions(program.command('dismiss-reports <id...>'))
    .description('delete the reports of agents')
    .action(bind(context, dismissReports));
}

/** Adds the commands of the review: of held agents, and of changes by owners that wait. */
function addReviewCommands(program: Command, context: CommandContext): void {
  addActingOptions(addSelectionOptions(program.command('release [id...]')))
    .description(
      'list the held agents and apply the waiting changes that meet all conditions; with options it needs --yes',
    )
    .option('--seen <hash>', 'only if the agent is as show or list --held printed it with this hash')
    .option('--yes', CONFIRMED)
    .action(bind(context, release));
  addActingOptions(addSelectionOptions(program.command('refuse [id...]')), { hasReason: false })
    .description('refuse the held agents and the waiting changes that meet all conditions; with options it needs --yes')
    .requiredOption('--reason <text>', 'why, for the owners')
    .option('--yes', CONFIRMED)
    .action(bind(context, refuse));
  addActingOptions(addSelectionOptions(program.command('hold [id...]')))
    .description('let agents or their changes wait again: takes back release and refuse; with options it needs --yes')
    .option('--yes', CONFIRMED)
    .action(bind(context, hold));
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

/** Adds the commands for the database as a whole. */
function addDatabaseCommands(program: Command, context: CommandContext): void {
  program
    .command('log')
    .description('print the record of actions, oldest first: time, who, command, id, name, reason')
    .option('--since <time>', 'actions since then: 30m, 2h, 7d, 2026-11-21 or 2026-11-21T09:30:00Z')
    .option('--id <id>', 'actions on this agent')
    .option('--json', 'print JSON objects, one a line')
    .action(bind(context, log));
  program
    .command('webhook')
    .description('for the webhook of WEBHOOK_URL')
    .command('test')
    .description('send it a test message and print its answer')
    .action(bind(context, testWebhook));
  addActingOptions(program.command('console'), { hasReason: false })
    .description('open a page for the operator on this machine: review, reports, search and figures')
    .option('--port <port>', 'the port; a free one by default')
    .action(bind(context, openConsoleUntilEnd));
  program
    .command('stats')
    .description('print statistics of the database')
    .option('--days <number>', 'also what happened on each of the last days')
    .option('--json', 'print a JSON object')
    .action(bind(context, stats));
  program
    .command('migrate')
    .description('migrate the database, as the start of a server does')
    .action(bind(context, migrate));
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
  const kinds = [CommandError, ActingError, ConfigError, DatabaseError, DatabaseUnavailableError];
  if (kinds.some((kind) => error instanceof kind)) return true;
  // A system error of a file: its message names the file.
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
