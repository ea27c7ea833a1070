import { changeSelected, type ChangedAgents, type ChangeOptions } from './change-selected.ts';
import type { NamedAgent } from '../agents/operator-store.ts';
import { RegistryError } from '../registry-error.ts';
import { CommandError, sayRow, type CommandContext } from './command.ts';
import { hasOptions } from './selection-options.ts';
import { parseReason } from '../actions/acting.ts';

const UNDO = 'To take them back, write these lines to a file: registry hold --yes --file <file>';

/** Lists the selected agents that are held, and applies the selected changes that wait. */
export async function release(
  context: CommandContext,
  ids: readonly string[],
  { seen, ...options }: ChangeOptions & { seen?: string },
): Promise<void> {
  if (seen !== undefined && (ids.length !== 1 || hasOptions(options))) {
    throw new CommandError('--seen is the hash of one agent: give its id, and no other option that selects agents.');
  }
  return changeSelected(context, ids, options, {
    command: 'release',
    async run(store, selection) {
      const [id = ''] = selection.ids ?? [];
      const released = store.release({ ...selection, seen: seen === undefined ? undefined : new Map([[id, seen]]) });
      return print(context, await released.catch(rejectAsExpected), UNDO);
    },
  });
}

/** Says in the terms of commands that an agent is not as it was seen. */
function rejectAsExpected(error: unknown): never {
  throw error instanceof RegistryError ? new CommandError(`${error.message}.`, { cause: error }) : error;
}

/** Refuses the selected agents that are held, and the selected changes that wait. */
export async function refuse(
  context: CommandContext,
  ids: readonly string[],
  options: ChangeOptions & { reason: string },
): Promise<void> {
  const reason = parseReason(options.reason);
  return changeSelected(context, ids, options, {
    command: 'refuse',
    run: async (store, selection) => print(context, await store.refuse(selection, reason), UNDO),
  });
}

/** Lets the selected agents or their changes wait again. */
export function hold(context: CommandContext, ids: readonly string[], options: ChangeOptions): Promise<void> {
  return changeSelected(context, ids, options, {
    command: 'hold',
    run: async (store, selection) => print(context, await store.hold(selection)),
  });
}

/** Prints the agents if there are several, so that a decision about them can be taken back together. */
function print(context: CommandContext, agents: readonly NamedAgent[], hint?: string): ChangedAgents {
  if (agents.length < 2) return { agents };
  for (const { id, name } of agents) sayRow(context, id, name);
  return { agents, hint };
}
