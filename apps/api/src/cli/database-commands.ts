import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { sql, type RawBuilder } from 'kysely';
import { readActor } from '../actions/record-of-actions.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { consoleDir } from '../config.ts';
import { openConsole } from '../console/open-console.ts';
import { readSiteConfig } from '../site-config.ts';
import { countAgents, countByCategory } from '../agents/list-counts.ts';
import type { Engine } from '../db/engine.ts';
import { listMigrations } from '../db/open-database.ts';
import { createViewStore, toFirstDay } from '../stats/view-store.ts';
import { sendMessage } from '../webhook/webhook.ts';
import { addActingOptions, addHelp, CommandError, parseId, toTerminalText, type CommandLine } from './command.ts';
import { readSelection } from './selection-options.ts';

export function addDatabaseCommands(program: Command, context: CommandLine): void {
  addHelp(
    program.command('log'),
    'print the record of actions, oldest first: time, who, command, id, name, reason',
    'Every command that changes agents, backup, restore and the console write it, in the transaction of the change: who is --by, else the system user, with sudo the one who called it. Actions are kept for 400 days, and are in backups. restore replaces them by those of the backup and adds itself; delete removes names and reasons.',
  )
    .option('--since <time>', 'actions since then: 30m, 2h, 7d, 2026-11-21 or 2026-11-21T09:30:00Z')
    .option('--id <id>', 'actions on this agent')
    .option('--json', 'print JSON objects, one a line')
    .action((options: LogOptions) => log(context, options));
  addHelp(
    addActingOptions(program.command('console'), { hasReason: false }),
    'open a page for the operator on this machine: review, reports and single entries',
    'It is a process of its own on 127.0.0.1, over the same database. Its address has a token: whoever has it acts as --by. On a server: ssh -t -L 4000:127.0.0.1:4000 <host> sudo agent-registry console --port 4000, then open the address. Keys of the queue: j k move, x chooses, r releases, f refuses, h hides, u takes the last decision back. An entry that its owner has changed since it was shown is not decided on. It ends 30 minutes after its last request. Browsers send its cookie to every port of the host: do not open programs of other people on the same machine meanwhile.',
  )
    .option('--port <port>', 'the port; a free one by default')
    .action((options: ConsoleOptions) => openConsoleUntilEnd(context, options));
  program
    .command('stats')
    .description('print statistics of the database')
    .option('--json', 'print a JSON object')
    .action((options: { json?: boolean }) => stats(context, options));
  addHelp(
    program.command('webhook'),
    'for the webhook of WEBHOOK_URL',
    'An event that is refused eight times (a status of 400 to 499 but 408, 425 and 429) is dropped, and the next ones go on; the log and the metric webhook_deliveries_total say so. Outages, 5xx and busy answers are tried again until the event is 30 days old.',
  )
    .command('test')
    .description('send it a test message and print its answer')
    .action(() => testWebhook(context));
}

type LogOptions = { since?: string; id?: string; json?: boolean };

async function log(context: CommandLine, { id: idText, json, ...conditions }: LogOptions): Promise<void> {
  const id = idText === undefined ? undefined : parseId(idText);
  const { since } = await readSelection([], conditions);
  await context.withDatabase(async ({ engine }) => {
    for await (const { number: _, ...action } of createOperatorStore(engine).streamActions({ since, id })) {
      const { at, by, command, agentId, name, reason } = action;
      if (json) context.sayJson(action);
      else context.sayRow(at, by, command, agentId ?? '', name ?? '', reason);
    }
  });
}

type ConsoleOptions = { port?: string; by?: string };

/** Opens the console on loopback until a signal ends it, or nobody has used it for half an hour. */
async function openConsoleUntilEnd(context: CommandLine, { port: portText = '0', by }: ConsoleOptions): Promise<void> {
  const actor = readActor(by);
  const port = parsePort(portText);
  if (!existsSync(join(consoleDir, 'index.html'))) {
    throw new CommandError(`The console is not built: ${consoleDir} has no index.html. Run npx -y pnpm@12 build.`);
  }
  await context.withDatabase(async ({ engine }, { SITE_CONFIG }) => {
    const console = await openConsole({
      context: { engine, by: actor, siteConfig: readSiteConfig(SITE_CONFIG).config },
      consoleDir,
      port,
      onError: ({ message }) => void context.stderr.write(`${toTerminalText(message)}\n`),
    }).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EADDRINUSE') throw cause;
      throw new CommandError(`Another program uses port ${port}. Without --port the console takes a free one.`, {
        cause,
      });
    });
    const end = () => void console.close();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
    context.say(`Console: ${console.url}`);
    context.say(
      `From another machine: ssh -L ${console.port}:127.0.0.1:${console.port} <host>, then open that address.`,
    );
    context.say('It acts for whoever has this address. It ends with Ctrl+C, or 30 minutes after its last use.');
    await console.ended;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, end);
    context.say('The console has ended.');
  });
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) throw new CommandError('--port must be a whole number from 0 to 65535.');
  return port;
}

async function stats(context: CommandLine, { json }: { json?: boolean }): Promise<void> {
  await context.withDatabase(async ({ engine }) => {
    const measured = await measureRegistry(engine);
    if (json) return context.sayJson(measured);
    const lines: [string, string | number][] = [
      ['Agents', measured.agents],
      ...Object.entries(measured.byCategory).map(([id, count]): [string, number] => [`  ${toTerminalText(id)}`, count]),
      ['Hidden agents', measured.hidden],
      ['Held agents', measured.held],
      ['Held edits', measured.proposed],
      ['Views in 30 days', measured.monthlyViews],
      ['All views', measured.allViews],
      ['Database', `${(measured.databaseBytes / 1_000_000).toFixed(1)} MB`],
      ['Migrations', measured.migrations.join(', ')],
    ];
    for (const [label, value] of lines) context.say(`${label.padEnd(18)}${value.toLocaleString('en-US')}`);
  });
}

async function testWebhook(context: CommandLine): Promise<void> {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secret } = context.loadConfig();
  if (url === undefined || secret === undefined) throw new CommandError('WEBHOOK_URL is not set.');
  const message = {
    id: `test_${randomUUID()}`,
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    data: {},
  } as const;
  context.say(`The webhook answered with status ${await sendMessage({ url, secret }, message)}.`);
}

async function measureRegistry(engine: Engine) {
  const operator = createOperatorStore(engine);
  const views = createViewStore(engine);
  return {
    agents: await countAgents(engine),
    hidden: await operator.countUnlisted('hidden'),
    held: await operator.countUnlisted('held'),
    proposed: await operator.countProposed(),
    byCategory: await countByCategory(engine),
    monthlyViews: await views.sum(toFirstDay(Date.now())),
    allViews: await views.sum(''),
    databaseBytes: await measureDatabase(engine),
    migrations: await listMigrations(engine.db),
  };
}

async function measureDatabase({ db, name }: Engine): Promise<number> {
  const size = {
    sqlite: sql`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
    postgres: sql`SELECT pg_database_size(current_database()) AS bytes`,
  }[name] as RawBuilder<{ bytes: number }>;
  const { rows } = await size.execute(db);
  return rows[0]?.bytes ?? 0;
}
