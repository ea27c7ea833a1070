import { changeSelected, type ChangedAgents, type ChangeOptions } from './change-selected.ts';
import type { NamedAgent } from '../agents/operator-store.ts';
import { sayRow, type CommandContext } from './command.ts';
import { parseReason } from '../actions/acting.ts';

const UNDO = 'To take them back, write these lines to a file: registry hold --yes --file <file>';

/** Lists the selected agents that are held, and applies the selected changes that wait. */
export function release(context: CommandContext, ids: readonly string[], options: ChangeOptions): Promise<void> {
  return changeSelected(context, ids, options, {
    command: 'release',
    run: async (store, selection) => print(context, await store.release(selection), UNDO),
  });
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
