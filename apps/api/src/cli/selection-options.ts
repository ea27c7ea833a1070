import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { hostOf } from '@agent-registry/contracts';
import { z } from 'zod';
import type { AgentSelection, Conditions } from '../agents/select-agents.ts';
import { CommandError, parseId } from './command.ts';
import { readLines } from './files.ts';

export type SelectionOptions = Conditions & { file?: string };

export function addSelectionOptions(command: Command): Command {
  return command
    .option('--file <file>', 'agents with the ids in a file: one a line, text after a tab is ignored')
    .option('--since <time>', 'agents registered since then: 30m, 2h, 7d, 2026-11-21 or 2026-11-21T09:30:00Z')
    .option('--text <text>', 'agents with this text in the name, description or capabilities')
    .option('--host <host>', 'agents whose website is on this host or a subdomain')
    .option('--email <address>', 'agents with this contact email, or at a domain: @example.com');
}

/** Whether options select agents; then a command that changes them needs `--yes`. */
export function hasOptions(options: SelectionOptions): boolean {
  return Object.values(options).some((option) => option !== undefined);
}

type Parser = [option: string, fault: string, parse: (text: string) => string | undefined];
const A_TIME = 'must be a time, such as 2026-11-21 or 2026-11-21T09:30:00Z';
/** The option of each condition, what it must be, and its value as a selection has it; undefined if it is none. */
const parsers: Record<keyof Conditions, Parser> = {
  since: ['since', `${A_TIME} or a time span such as 30m, 2h or 7d`, parseSince],
  text: ['text', 'must not be blank', (text) => text.trim() || undefined],
  host: [
    'host',
    'must be the name of a host, such as example.com',
    (text) => (/^[^/?#@:\s]+$/.test(text) ? hostOf(`http://${text}`) : undefined),
  ],
  email: [
    'email',
    'must be an address, such as owner@example.com, or a domain, such as @example.com',
    (text) => (/^[^@\s]*@[^@\s]+$/.test(text) ? text : undefined),
  ],
  hiddenAt: ['hidden-at', A_TIME, parseTime],
};

export async function readSelection(
  idTexts: readonly string[],
  { file, ...conditions }: SelectionOptions,
): Promise<AgentSelection> {
  const ids = new Set(idTexts.map(parseId));
  if (file !== undefined) for (const id of await readIds(file)) ids.add(id);
  const selection: AgentSelection = { ids: idTexts.length > 0 || file !== undefined ? ids : undefined };
  for (const [name, [option, fault, parse]] of Object.entries(parsers) as [keyof Conditions, Parser][]) {
    const text = conditions[name];
    if (text === undefined) continue;
    selection[name] = parse(text);
    if (selection[name] === undefined) throw new CommandError(`--${option} ${fault}.`);
  }
  return selection;
}

/** A time, or a time span before now. */
function parseSince(text: string): string | undefined {
  const seconds = { m: 60, h: 3_600, d: 86_400 };
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count === undefined) return parseTime(text);
  return new Date(Date.now() - Number(count) * seconds[unit as keyof typeof seconds] * 1_000).toISOString();
}

function parseTime(text: string): string | undefined {
  const { success } = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  return success ? new Date(text).toISOString() : undefined;
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
