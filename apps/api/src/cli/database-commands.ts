import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readActor } from '../actions/record-of-actions.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { consoleDir } from '../config.ts';
import { openConsole } from '../console/open-console.ts';
import { readSiteConfig } from '../site-config.ts';
import { measureRegistry } from '../operator/measure-registry.ts';
import {
  addActingOptions,
  CommandError,
  parseId,
  say,
  sayJson,
  sayRow,
  toTerminalText,
  withDatabase,
  type CommandContext,
} from './command.ts';
import { readSelection } from './selection-options.ts';

/** Adds the commands for the database as a whole. */
export function addDatabaseCommands(program: Command, context: CommandContext): void {
  program
    .command('log')
    .description('print the record of actions, oldest first: time, who, command, id, name, reason')
    .option('--since <time>', 'actions since then: 30m, 2h, 7d, 2026-11-21 or 2026-11-21T09:30:00Z')
    .option('--id <id>', 'actions on this agent')
    .option('--json', 'print JSON objects, one a line')
    .action((options: LogOptions) => log(context, options));
  addActingOptions(program.command('console'), { hasReason: false })
    .description('open a page for the operator on this machine: review, reports and single entries')
    .option('--port <port>', 'the port; a free one by default')
    .action((options: ConsoleOptions) => openConsoleUntilEnd(context, options));
  program
    .command('stats')
    .description('print statistics of the database')
    .option('--json', 'print a JSON object')
    .action((options: { json?: boolean }) => stats(context, options));
}

type LogOptions = { since?: string; id?: string; json?: boolean };

async function log(context: CommandContext, { id: idText, json, ...conditions }: LogOptions): Promise<void> {
  const id = idText === undefined ? undefined : parseId(idText);
  const { since } = await readSelection([], conditions);
  await withDatabase(context, async ({ engine }) => {
    for await (const { number: _, ...action } of createOperatorStore(engine).streamActions({ since, id })) {
      const { at, by, command, agentId, name, reason } = action;
      if (json) sayJson(context, action);
      else sayRow(context, at, by, command, agentId ?? '', name ?? '', reason);
    }
  });
}

type ConsoleOptions = { port?: string; by?: string };

/** Opens the console on loopback until a signal ends it, or nobody has used it for half an hour. */
async function openConsoleUntilEnd(
  context: CommandContext,
  { port: portText = '0', by }: ConsoleOptions,
): Promise<void> {
  const actor = readActor(by);
  const port = parsePort(portText);
  if (!existsSync(join(consoleDir, 'index.html'))) {
    throw new CommandError(`The console is not built: ${consoleDir} has no index.html. Run npx -y pnpm@12 build.`);
  }
  await withDatabase(context, async ({ engine }, { SITE_CONFIG }) => {
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
    say(context, `Console: ${console.url}`);
    say(
      context,
      `From another machine: ssh -L ${console.port}:127.0.0.1:${console.port} <host>, then open that address.`,
    );
    say(context, 'It acts for whoever has this address. It ends with Ctrl+C, or 30 minutes after its last use.');
    await console.ended;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, end);
    say(context, 'The console has ended.');
  });
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) throw new CommandError('--port must be a whole number from 0 to 65535.');
  return port;
}

async function stats(context: CommandContext, { json }: { json?: boolean }): Promise<void> {
  await withDatabase(context, async ({ engine }) => {
    const measured = await measureRegistry(engine);
    if (json) return sayJson(context, measured);
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
    for (const [label, value] of lines) say(context, `${label.padEnd(18)}${value.toLocaleString('en-US')}`);
  });
}
