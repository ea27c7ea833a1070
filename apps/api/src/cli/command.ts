import { agentIdSchema, escapeInJson, replaceHidden, type Category } from '@agent-registry/contracts';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { openDatabase, type OpenDatabase, toDatabaseError } from '../db/open-database.ts';
import { toNamespace } from '../servers/server-names.ts';
import { readSiteConfig } from '../site-config.ts';
import type { GuardedFetch } from '../website-check/guarded-fetch.ts';
import { parseReason, readActor, type Acting } from '../actions/record-of-actions.ts';

/** The most entries that are printed with a fault, and as they would be added. */
export const [MAX_PRINTED, MAX_SHOWN] = [20, 10];

export type ActingOptions = { by?: string; reason?: string };

/** A command that failed as expected; the message is shown to the operator without a stack trace. */
export class CommandError extends Error {}

export type CommandContext = {
  stdout: NodeJS.WritableStream;
  /** Receives errors, and progress if it is a terminal. */
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  /** Called by commands that open the database. @throws {ConfigError} when a setting is invalid */
  loadConfig: () => Config;
  /** Fetches from public hosts; tests reach a server of their own by it. */
  fetch?: GuardedFetch;
  /** An open database in place of the configured one; it stays open. Tests run many commands on one. */
  database?: OpenDatabase;
};

export function readCategories({ SITE_CONFIG }: Config): readonly Category[] {
  return readSiteConfig(SITE_CONFIG).config.categories;
}

/** A text of a stranger for one line of a terminal, without the characters that a terminal obeys or hides. */
export function toTerminalText(text: string): string {
  return replaceHidden(text.replaceAll(/\s+/gu, ' '), () => '\u{FFFD}');
}

export function parseId(text: string): string {
  const { data, error } = agentIdSchema.safeParse(text);
  if (data === undefined) throw new CommandError(`${error.issues[0]?.message}.`);
  return data;
}

export function addHelp(command: Command, summary: string, details: string): Command {
  return command.summary(summary).description(`${summary}\n\n${details}`);
}

/** Adds `--by`, and `--reason` where a command has none of its own. */
export function addActingOptions(command: Command, { hasReason = true } = {}): Command {
  command.option('--by <name>', 'who does it, for the record of actions; the system user by default');
  return hasReason ? command.option('--reason <text>', 'why, for the record of actions') : command;
}

/** @throws {RegistryError} when a text is blank or too long, or has line ends or control characters */
export function readActing(command: string, { by, reason }: ActingOptions): Acting {
  return { by: readActor(by), command, reason: reason === undefined ? '' : parseReason(reason) };
}

const WIDTH = 30;
const INTERVAL = 100;

export class CommandLine {
  readonly loadConfig: CommandContext['loadConfig'];
  readonly fetch: GuardedFetch | undefined;
  readonly stdout: CommandContext['stdout'];
  readonly stderr: CommandContext['stderr'];
  readonly #database: OpenDatabase | undefined;

  constructor(context: CommandContext) {
    this.loadConfig = context.loadConfig;
    this.fetch = context.fetch;
    this.stdout = context.stdout;
    this.stderr = context.stderr;
    this.#database = context.database;
  }

  say(line: string): void {
    this.stdout.write(`${line}\n`);
  }

  /** Writes fields as a line with tabs between them. */
  sayRow(...fields: readonly (string | number)[]): void {
    this.say(fields.map((field) => toTerminalText(String(field))).join('\t'));
  }

  /** Writes a value as a line of JSON, in which characters that a terminal obeys are escaped. */
  sayJson(value: unknown): void {
    this.say(replaceHidden(JSON.stringify(value), escapeInJson));
  }

  /** Opens the configured database; with `create` a database without tables gets them. */
  async withDatabase<Result>(
    use: (database: OpenDatabase, config: Config) => Promise<Result>,
    { create = false } = {},
  ): Promise<Result> {
    const open = this.#database;
    const config = this.loadConfig();
    const database =
      open ??
      (await openDatabase(config.DATABASE_URL, {
        categories: readCategories(config),
        serverNamespace: toNamespace(config.PUBLIC_URL),
        // Commands show their progress, so their statements have no timeout.
        postgres: { ...config, DATABASE_POOL_SIZE: 2, DATABASE_STATEMENT_TIMEOUT: 0 },
        create,
      }));
    try {
      return await use(database, config);
    } catch (error) {
      throw toDatabaseError(error);
    } finally {
      if (!open) await database.engine.close();
    }
  }

  /** Shows a progress bar while `work` runs, if the standard error is a terminal. */
  async withProgress<Result>(
    label: string,
    total: number,
    work: (advance: (amount: number) => void) => Promise<Result>,
  ): Promise<Result> {
    const { stderr } = this;
    let done = 0;
    let drawnAt = -Infinity;
    const advance = (amount: number) => {
      done += amount;
      const now = performance.now();
      if (!stderr.isTTY || now - drawnAt < INTERVAL) return;
      drawnAt = now;
      const part = total === 0 ? 1 : Math.min(1, done / total);
      const full = Math.floor(part * WIDTH);
      const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
      stderr.write(`\r${label} ${bar} ${Math.floor(part * 100)} %`);
    };
    try {
      return await work(advance);
    } finally {
      // Erase the line of the bar.
      if (stderr.isTTY) stderr.write('\r\u001B[2K');
    }
  }
}
