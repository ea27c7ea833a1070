import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { type AgentSelection, ConditionError, parseConditions, type Conditions } from '../agents/select-agents.ts';
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
export function hasOptions({ file, since, text, host, email, hiddenAt }: SelectionOptions): boolean {
  return [file, since, text, host, email, hiddenAt].some((option) => option !== undefined);
}

export async function readSelection(
  idTexts: readonly string[],
  { file, ...conditions }: SelectionOptions,
): Promise<AgentSelection> {
  const ids = new Set(idTexts.map(parseId));
  if (file !== undefined) for (const id of await readIds(file)) ids.add(id);
  return { ids: idTexts.length > 0 || file !== undefined ? ids : undefined, ...parseOptions(conditions) };
}

function parseOptions(conditions: Conditions): AgentSelection {
  try {
    return parseConditions(conditions);
  } catch (cause) {
    if (!(cause instanceof ConditionError)) throw cause;
    const option = cause.condition === 'hiddenAt' ? 'hidden-at' : cause.condition;
    throw new CommandError(`--${option} ${cause.message}.`, { cause });
  }
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
