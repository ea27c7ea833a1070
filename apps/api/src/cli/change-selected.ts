import { formatCount, type Agent } from '@agent-registry/contracts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { operatorChanges } from '../agents/operator-changes.ts';
import type { NamedAgent, OperatorStore } from '../agents/operator-store.ts';
import { readActing, type ActingOptions } from './acting.ts';
import { CommandError, countOf, say, sayRow, toTerminalText, withDatabase, type CommandContext } from './command.ts';
import { hasOptions, readRequiredSelection, type SelectionOptions } from './selection-options.ts';

/** How many agents are listed before a change. */
const MAX_LISTED = 20;
const NO_MATCH = 'No agent matches.';

/** The options of a command that changes the agents that it selects. */
export type ChangeOptions = SelectionOptions & ActingOptions & { yes?: boolean };

/** A change of the selected agents. */
export type SelectedChange = {
  /** The name of the command, also in the record of actions. */
  command: keyof typeof operatorChanges;
  /** Whether it needs `--yes` for ids, too. */
  isFinal?: boolean;
  run: (store: OperatorStore, selection: AgentSelection) => Promise<ChangedAgents>;
};

/** The agents that a command changed, and a line that is printed after the report. */
export type ChangedAgents = { agents: readonly NamedAgent[]; hint?: string | undefined };

/**
 * Changes the agents that ids or options select. With options it needs `--yes`: without it the agents are only listed.
 * @throws {CommandError} when a value is invalid, no agent was changed, or `--yes` is missing.
 */
export async function changeSelected(
  context: CommandContext,
  ids: readonly string[],
  { yes, by, reason, ...options }: ChangeOptions,
  { command, isFinal, run }: SelectedChange,
): Promise<void> {
  const acting = readActing(command, { by, reason });
  const { would, done, preview } = operatorChanges[command];
  const selection = await readRequiredSelection(ids, options);
  await withDatabase(context, async ({ engine }) => {
    const store = createKyselyOperatorStore(engine, acting);
    if (!yes && (isFinal || hasOptions(options))) {
      return refuseWithoutYes(context, would, preview(store, selection));
    }
    const { agents, hint } = await run(store, selection);
    reportChange(context, done, agents, selection, hint);
  });
}

/**
 * Lists the agents that a command would change.
 * @param would what would be done to them, such as `hidden`
 * @throws {CommandError} always: the command has to be repeated with `--yes`.
 */
async function refuseWithoutYes(
  context: CommandContext,
  would: string,
  sources: readonly AsyncIterable<Agent | { agent: Agent }>[],
): Promise<never> {
  let count = 0;
  for (const source of sources) {
    for await (const found of source) {
      const { id, createdAt, name } = 'agent' in found ? found.agent : found;
      count += 1;
      if (count <= MAX_LISTED) sayRow(context, id, createdAt, name);
    }
  }
  if (count > MAX_LISTED) say(context, `… and ${formatCount(count - MAX_LISTED)} more`);
  if (count === 0) throw new CommandError(NO_MATCH);
  throw new CommandError(`${countOf(count, 'agent')} would be ${would}. Repeat the command with --yes to do it.`);
}

/**
 * Reports the changed agents.
 * @param done what was done to them, such as `Hidden`
 * @param hint a line that is printed if agents were changed
 * @throws {CommandError} when no agent was changed; also, after the report, when only ids were given and some of them
 *   selected no agent.
 */
export function reportChange(
  context: CommandContext,
  done: string,
  agents: readonly NamedAgent[],
  { ids, ...conditions }: AgentSelection,
  hint?: string,
): void {
  const [first] = agents;
  if (!first) throw new CommandError(NO_MATCH);
  say(
    context,
    agents.length === 1
      ? `${done}: ${toTerminalText(first.name)} (${first.id}).`
      : `${done}: ${countOf(agents.length, 'agent')}.`,
  );
  if (hint !== undefined) say(context, hint);
  const hasConditions = Object.values(conditions).some((condition) => condition !== undefined);
  const others = ids && !hasConditions ? ids.size - agents.length : 0;
  if (others > 0) throw new CommandError(`${countOf(others, 'other id')} selected no agent.`);
}
