import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import type { NamedAgent, OperatorStore } from '../agents/operator-store.ts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import { sayRow, withDatabase, type CommandContext } from './command.ts';
import {
  hasOptions,
  parseReason,
  readRequiredSelection,
  refuseWithoutYes,
  reportChange,
  type SelectionOptions,
} from './selection-options.ts';

type ReviewOptions = SelectionOptions & { yes?: boolean };

const UNDO = 'To take them back, write these lines to a file: registry hold --yes --file <file>';

/** Lists the selected agents that are held, and applies the selected changes that wait. */
export function release(context: CommandContext, ids: readonly string[], options: ReviewOptions): Promise<void> {
  return decide(context, ids, options, {
    change: 'released',
    preview: streamWaiting,
    run: (store, selection) => store.release(selection),
  });
}

/** Refuses the selected agents that are held, and the selected changes that wait. */
export async function refuse(
  context: CommandContext,
  ids: readonly string[],
  { reason: reasonText, ...options }: ReviewOptions & { reason: string },
): Promise<void> {
  const reason = parseReason(reasonText);
  return decide(context, ids, options, {
    change: 'refused',
    preview: streamWaiting,
    run: (store, selection) => store.refuse(selection, reason),
  });
}

/** Lets the selected agents or their changes wait again. */
export function hold(context: CommandContext, ids: readonly string[], options: ReviewOptions): Promise<void> {
  return decide(context, ids, options, {
    change: 'held',
    preview: (store, selection) => [store.streamUnlisted(selection, 'refused'), store.streamVisible(selection)],
    run: (store, selection) => store.hold(selection),
  });
}

/** A decision about agents. */
type Decision = {
  /** What is done to them, such as `released`. */
  change: string;
  /** The agents that it may change. */
  preview: (store: OperatorStore, selection: AgentSelection) => Parameters<typeof refuseWithoutYes>[2][];
  run: (store: OperatorStore, selection: AgentSelection) => Promise<NamedAgent[]>;
};

/** Runs a decision and prints the agents, so that it can be taken back together. */
async function decide(
  context: CommandContext,
  ids: readonly string[],
  { yes, ...options }: ReviewOptions,
  { change, preview, run }: Decision,
): Promise<void> {
  const selection = await readRequiredSelection(ids, options);
  await withDatabase(context, async ({ engine }) => {
    const store = createKyselyOperatorStore(engine);
    if (hasOptions(options) && !yes) return refuseWithoutYes(context, change, ...preview(store, selection));
    const agents = await run(store, selection);
    if (agents.length > 1) for (const { id, name } of agents) sayRow(context, id, name);
    const done = change.replace(/^./, (letter) => letter.toUpperCase());
    const isUndone = agents.length > 1 && change !== 'held';
    reportChange(context, done, agents, selection, isUndone ? UNDO : undefined);
  });
}

function streamWaiting(store: OperatorStore, selection: AgentSelection) {
  return [store.streamUnlisted(selection, 'held'), store.streamProposed(selection, 'waiting')];
}
