import { createReadStream } from 'node:fs';
import { hostOf } from '@agent-registry/contracts';
import type { Command } from 'commander';
import { z } from 'zod';
import type { AgentSelection } from '../agents/agent-selection.ts';
import { CommandError, parseId } from './command.ts';
import { readLines } from './lines.ts';

/** The options of a command that selects agents, as typed. */
export type SelectionOptions = {
  file?: string;
  since?: string;
  text?: string;
  host?: string;
  email?: string;
  category?: string | undefined;
  hiddenAt?: string;
};

/** The units of a time span, in seconds. */
const SECONDS = { m: 60, h: 3_600, d: 86_400 };

/** Adds the options that select agents to a command. */
export function addSelectionOptions(command: Command): Command {
  return command
    .option('--file <file>', 'agents with the ids in a file: one a line, text after a tab is ignored')
    .option('--since <time>', 'agents registered since then: 30m, 2h, 7d, 2026-11-21 or 2026-11-21T09:30:00Z')
    .option('--text <text>', 'agents with this text in the name, description or capabilities')
    .option('--host <host>', 'agents whose website is on this host or a subdomain')
    .option('--email <address>', 'agents with this contact email, or at a domain: @example.com');
}

/** Adds `--hidden-at`, for commands that select hidden agents. */
export function addHiddenAtOption(command: Command): Command {
  return command.option('--hidden-at <time>', 'agents that one hide command hid, by the time that it printed');
}

/** Whether options select agents; then a command that changes them needs `--yes`. */
export function hasOptions({ file, since, text, host, email, category, hiddenAt }: SelectionOptions): boolean {
  return [file, since, text, host, email, category, hiddenAt].some((option) => option !== undefined);
}

/**
 * Reads the selection of a command from its ids and options.
 * @throws {CommandError} when a value is invalid.
 */
export async function readSelection(idTexts: readonly string[], options: SelectionOptions): Promise<AgentSelection> {
  const ids = new Set(idTexts.map(parseId));
  if (options.file !== undefined) for (const id of await readIds(options.file)) ids.add(id);
  return {
    ids: idTexts.length > 0 || options.file !== undefined ? ids : undefined,
    since: options.since === undefined ? undefined : parseSince(options.since),
    text: options.text === undefined ? undefined : parseText(options.text),
    host: options.host === undefined ? undefined : parseHost(options.host),
    email: options.email === undefined ? undefined : parseEmail(options.email),
    category: options.category,
    hiddenAt: options.hiddenAt === undefined ? undefined : parseTime('--hidden-at', options.hiddenAt),
  };
}

/**
 * Reads the selection of a command that changes agents.
 * @throws {CommandError} when a value is invalid, or nothing is selected.
 */
export async function readRequiredSelection(
  idTexts: readonly string[],
  options: SelectionOptions,
): Promise<AgentSelection> {
  if (idTexts.length === 0 && !hasOptions(options)) {
    throw new CommandError('Select agents by their ids or by options such as --since; see --help.');
  }
  return readSelection(idTexts, options);
}

async function readIds(path: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { number, bytes } of readLines(createReadStream(path) as AsyncIterable<Buffer>, path)) {
    const text = bytes.toString('utf8').split('\t', 1)[0]?.trim();
    if (!text) continue;
    try {
      ids.push(parseId(text));
    } catch (cause) {
      throw new CommandError(`Line ${number} of ${path} has no id of an agent.`, { cause });
    }
  }
  return ids;
}

function parseSince(text: string): string {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count === undefined) return parseTime('--since', text, ' or a time span such as 30m, 2h or 7d');
  return new Date(Date.now() - Number(count) * SECONDS[unit as keyof typeof SECONDS] * 1_000).toISOString();
}

function parseTime(option: string, text: string, others = ''): string {
  const { success } = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  if (!success) {
    throw new CommandError(`${option} must be a time, such as 2026-11-21 or 2026-11-21T09:30:00Z${others}.`);
  }
  return new Date(text).toISOString();
}

function parseText(text: string): string {
  if (text.trim() === '') throw new CommandError('--text must not be blank.');
  return text.trim();
}

function parseHost(text: string): string {
  const address = `http://${text}`;
  if (!/^[^/?#@:\s]+$/.test(text) || !URL.canParse(address)) {
    throw new CommandError('--host must be the name of a host, such as example.com.');
  }
  return hostOf(address);
}

function parseEmail(text: string): string {
  if (!/^[^@\s]*@[^@\s]+$/.test(text)) {
    throw new CommandError('--email must be an address, such as owner@example.com, or a domain, such as @example.com.');
  }
  return text;
}
