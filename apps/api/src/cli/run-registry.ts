import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { DatabaseError, DatabaseUnavailableError } from '../database-error.ts';
import { RegistryError } from '../registry-error.ts';
import { SourceError } from '../sync/read-sources.ts';
import { WebhookError } from '../webhook/webhook.ts';
import { addActingOptions, addHelp, CommandError, CommandLine, type CommandContext } from './command.ts';
import { addChangeCommands } from './agent-commands.ts';
import { backup, restore } from './backup.ts';
import { addDatabaseCommands } from './database-commands.ts';
import { exportAgents } from './export.ts';
import { importAgents } from './import.ts';
import { list, search, show } from './list.ts';
import { HIDDEN_AT_OPTION } from '../operator/verbs.ts';
import { addSelectionOptions } from './selection-options.ts';
import { changePins, sync } from './sync.ts';

/** Runs the operator's command line, whose errors are one sentence each; returns the exit code, as the help says. */
export async function runRegistry(args: readonly string[], given: CommandContext): Promise<number> {
  const context = new CommandLine(given);
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

function createProgram(context: CommandLine): Command {
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
  return program;
}

function addFileCommands(program: Command, context: CommandLine): void {
  addHelp(
    addActingOptions(program.command('backup <file>')),
    'write everything to a compressed file and verify it',
    'It is a consistent snapshot of everything but rate limits, for either engine, and blocks no one. The file gets its name after it was written to disk and verified; only its owner can read it. This version and later ones restore it. A copy of the SQLite file of a running server is no backup: part of the data is in the -wal file.',
  )
    .option('--overwrite', 'replace an existing file')
    .action(bind(context, backup));
  addHelp(
    addActingOptions(program.command('restore <file>')),
    'replace the content of the database with a backup',
    'The file is verified first. It is one transaction: running servers show the old content until it commits, and registrations wait, from five seconds on with 503. The search index is rebuilt, and the record of actions becomes that of the backup. A backup of a later version is refused. Behind PgBouncer in transaction mode, name PostgreSQL itself in DATABASE_URL, since long commands have no time limit.',
  )
    .option('--overwrite', 'also if the database has agents')
    .action(bind(context, restore));
  addHelp(
    addActingOptions(program.command('import <file>')),
    'add the agents of a file (.ndjson, .jsonl, .json, .csv, .md); refused entries go to <file>.rejected.ndjson. Can be repeated',
    'An agent a line (.ndjson, .jsonl), an array (.json), or a header line with names of fields (.csv): lists are JSON arrays, words with commas between, or a sentence a line, and an empty cell is a missing field; commas, semicolons or tabs separate cells. In .md, of at most 1 MiB, a list item that begins with a link is an agent, the text behind the link describes it, and the headings above are its capabilities. A .json may also be a page of /v0.1/servers of an MCP registry. A website may lack https://, and a category may be its name. --map Title=name reads a column under another name. Try it with --dry-run. Each agent is validated like a registration. id, rating, reviewCount and times are kept, importedFrom is not.\n\nAn entry is refused if it is invalid or its id is taken: the first twenty are printed, all are in the file of refused entries, and the exit code is 1. A file that is broken as a whole (invalid JSON, an unknown column, an entry of over 1 MB) changes nothing. An entry without an id gets one from its content, so that it is added once. A transaction has 200 agents; with --all-or-nothing it is one, and registrations wait as with restore.',
  )
    .option('--contact <email>', 'the contact address of entries without one')
    .option('--category <category>', 'the category of entries without one of this registry')
    .option('--map <column=field...>', 'what columns of a table, or fields of JSON, stand for; others are left out')
    .option('--dry-run', 'print the first ten agents and why each refused entry is refused; change nothing')
    .option('--all-or-nothing', 'add no agent if one is refused')
    .action(bind(context, importAgents));
  addHelp(
    program.command('export <file>'),
    'write all visible agents to a file (.ndjson, .jsonl, .json, .csv)',
    `An export can be imported again, except for texts that an earlier version accepted, and with PUBLIC_CONTACT=page only with --contacts. It has no hidden agents: make a backup, too. In .csv, cells that a spreadsheet would read as a formula begin with an apostrophe. For some agents, filter with jq: jq -c 'select(.category == "vision")' agents.ndjson. importedFrom says where an agent comes from that nobody has claimed.`,
  )
    .option('--overwrite', 'replace an existing file')
    .option('--contacts', 'with contact emails, also if PUBLIC_CONTACT is page')
    .option(
      '--public',
      'a file for mirrors (.ndjson.gz): all agents without contact emails, and the cursor of the changes',
    )
    .action(bind(context, exportAgents));
}

function addListCommands(program: Command, context: CommandLine): void {
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
  addSelectionOptions(program.command('list'))
    .option(...HIDDEN_AT_OPTION)
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

function addSourceCommands(program: Command, context: CommandLine): void {
  addHelp(
    addActingOptions(program.command('sync <file>')),
    'follow the sources of a file: add, change and withdraw agents as they do; --dry-run shows it first',
    "The file lists sources as deploy/sources.example.json does. kind is mcp-registry or agent-registry; address is https on port 443; allow has host:port of pages of its own in your network or on another port; categories maps theirs to yours, * all others; contact is the address of entries until they are claimed. Another name is another source. Once an hour is often enough.\n\nThe first time a source is read completely, later its changes. An entry that it calls removed is withdrawn; an absent one only after a complete crawl: run --complete now and then, and after a change of categories or contact. An entry that comes back within 30 days is the same agent again. Each is validated like a registration; ids, times, ratings, proofs and contacts are not taken. New ones are listed at once, also with REGISTRATION=held. An agent with a management key or a proof of its website is its owner's: it is neither changed nor withdrawn. What you hide, withdraw or erase does not come back. A new entry with the name and website of another source's agent joins that agent; a shared website alone joins nothing, and an entry with a website that the owner of another one controls, or that you took off the list, is not added.\n\nWith names: true the names of MCP servers are those of the servers in /v0.1, versions and states too, and descriptions are served as they are where they are safe as a whole; others are counted with the reason. When an upgrade, or names, takes more of entries over, the source is read from its start once, with any number of changes; the dry run says so.\n\nA source is left out, and the exit code is 1, if it or every entry of it cannot be read, answers with more than 10 MiB, has more than 1,000 pages, a repeated cursor or one of more than 500 characters, takes more than half an hour, or would withdraw (or, followed before, add or change) more than 20 % of its agents. To leave a source, remove it from the file: its agents stay.",
  )
    .option('--dry-run', 'list and count what would change; change nothing')
    .option('--complete', 'read the sources from their start, to find what they no longer have')
    .option('--only <name>', 'only the source with this name')
    .option('--many-withdrawals <name>', 'also if this source has lost more than 20 % of its agents')
    .option('--many-additions <name>', 'also if this source, followed before, has added or changed more than 20 %')
    .action(bind(context, sync));
  addActingOptions(program.command('pin <id> <field...>'))
    .description('keep fields of an imported agent: sync does not change them')
    .action(bind(context, changePins));
  addActingOptions(program.command('unpin <id> <field...>'))
    .description('let sync change fields of an imported agent again')
    .action(bind(context, changePins));
}

function bind<Args extends unknown[]>(
  context: CommandLine,
  command: (context: CommandLine, ...args: Args) => Promise<void>,
) {
  return (...args: Args) => command(context, ...args);
}

/** The message of an error, in which a file has its full path: it says where a relative one was looked for. */
function describe(error: Error): string {
  const { path } = error as NodeJS.ErrnoException;
  return path === undefined ? error.message : error.message.replace(`'${path}'`, `'${resolve(path)}'`);
}

function isExpected(error: unknown): error is Error {
  const databaseKinds = [DatabaseError, DatabaseUnavailableError];
  const kinds = [CommandError, RegistryError, ConfigError, SourceError, WebhookError, ...databaseKinds];
  if (kinds.some((kind) => error instanceof kind)) return true;
  // A system error of a file: its message names the file.
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
