import { countOf, createAgentUpdateSchema, createManagementKey, editableFields } from '@agent-registry/contracts';
import type { Command } from 'commander';
import type { AgentSelection } from '../agents/select-agents.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import { hashKey } from '../agents/find-owned.ts';
import type { Engine } from '../db/engine.ts';
import { streamConcerned, verbNames, verbs, type Changed, type Verb, type VerbName } from '../operator/verbs.ts';
import {
  addActingOptions,
  addHelp,
  readActing,
  type ActingOptions,
  CommandError,
  parseId,
  toTerminalText,
  type CommandLine,
} from './command.ts';
import { addSelectionOptions, hasOptions, readSelection, type SelectionOptions } from './selection-options.ts';

const MAX_LISTED = 20;
const NO_MATCH = 'No agent matches.';

type VerbOptions = SelectionOptions & ActingOptions & { yes?: boolean; seen?: string };

export function addChangeCommands(program: Command, context: CommandLine): void {
  for (const name of verbNames) addVerb(program, context, name);
  addActingOptions(program.command('reset-key <id>'))
    .description('give a listed agent a new management key and print it, the only time')
    .action((id: string, options: ActingOptions) => resetKey(context, id, options));
}

function addVerb(program: Command, context: CommandLine, name: VerbName): void {
  const { help, details, takes, reasonFor, options = [], alias } = verbs[name];
  const command = program.command(`${name} ${takes}`).description(help);
  if (details !== undefined) addHelp(command, help, details);
  if (alias !== undefined) command.alias(alias);
  if (takes === '[id...]')
    addSelectionOptions(command).option('--yes', 'do it; without it the agents are only listed and counted');
  if (reasonFor === 'operators') command.requiredOption('--reason <text>', 'why, for operators only');
  if (reasonFor === 'owners') command.requiredOption('--reason <text>', 'why, for the owners');
  addActingOptions(command, { hasReason: reasonFor === undefined });
  for (const [flags, text] of options) command.option(flags, text);
  if (takes === '<id> <field=value...>') {
    command.action((id: string, settings: string[], given: VerbOptions) =>
      runVerb(context, name, { ids: [id], options: given, fields: Object.fromEntries(settings.map(parseSetting)) }),
    );
  } else command.action((ids: string[], given: VerbOptions) => runVerb(context, name, { ids, options: given }));
}

async function runVerb(
  context: CommandLine,
  name: VerbName,
  { ids, options, fields = {} }: { ids: readonly string[]; options: VerbOptions; fields?: Record<string, unknown> },
): Promise<void> {
  const { yes, by, reason, seen, ...selecting } = options;
  const verb = verbs[name];
  const acting = readActing(name, { by, reason });
  if (seen !== undefined && (ids.length !== 1 || hasOptions(selecting))) {
    throw new CommandError('--seen is the hash of one agent: give its id, and no other option that selects agents.');
  }
  if (ids.length === 0 && !hasOptions(selecting)) {
    throw new CommandError('Select agents by their ids or by options such as --since; see --help.');
  }
  const selection = await readSelection(ids, selecting);
  await context.withDatabase(async ({ engine }) => {
    const patch = parsePatch(engine, fields);
    const store = createOperatorStore(engine, acting);
    if (!yes && (verb.isFinal || hasOptions(selecting))) return refuseWithoutYes(context, verb, store, selection);
    const [id = ''] = selection.ids ?? [];
    const asSeen = seen === undefined ? undefined : new Map([[id, seen]]);
    const changed = await verb.change(store, {
      selection: { ...selection, seen: asSeen },
      reason: acting.reason,
      patch,
    });
    if (changed.agents.length === 0 && !changed.reports) {
      throw new CommandError(toTerminalText(verb.nothing ?? (await explainNothing(store, selection))));
    }
    reportChange(context, verb, changed);
    const others =
      selection.ids && !hasOptions({ ...selecting, file: undefined }) ? selection.ids.size - changed.agents.length : 0;
    if (others > 0 && changed.reports === undefined)
      throw new CommandError(`${countOf(others, 'other id')} selected no agent.`);
  });
}

async function explainNothing(store: OperatorStore, selection: AgentSelection): Promise<string> {
  const { value } = selection.ids?.size === 1 ? await store.stream(selection).next() : {};
  if (!value) return NO_MATCH;
  const { agent, state, since, reason } = value;
  const details = `${since ? `, since ${since}` : ''}${reason ? `: ${reason}` : ''}`;
  return `Nothing was changed: the agent ${agent.id} is ${state}${details}`;
}

async function refuseWithoutYes(
  context: CommandLine,
  verb: Verb,
  store: OperatorStore,
  selection: AgentSelection,
): Promise<never> {
  let count = 0;
  for await (const { agent } of streamConcerned(store, verb, selection)) {
    count += 1;
    if (count <= MAX_LISTED) context.sayRow(agent.id, agent.createdAt, agent.name);
  }
  if (count > MAX_LISTED) context.say(`… and ${countOf(count - MAX_LISTED, 'more', 'more')}`);
  if (count === 0) throw new CommandError(NO_MATCH);
  const { done, would = done.toLowerCase() } = verb;
  throw new CommandError(`${countOf(count, 'agent')} would be ${would}. Repeat the command with --yes to do it.`);
}

function reportChange(context: CommandLine, { done, printsAgents, hint }: Verb, changed: Changed): void {
  const { agents, reports } = changed;
  const [first] = agents;
  if (printsAgents && agents.length > 1) for (const { id, name } of agents) context.sayRow(id, name);
  if (reports !== undefined) context.say(`${done}: ${countOf(reports, 'report')}.`);
  else if (first && agents.length === 1) context.say(`${done}: ${toTerminalText(first.name)} (${first.id}).`);
  else context.say(`${done}: ${countOf(agents.length, 'agent')}.`);
  const line = hint?.(changed);
  if (line !== undefined) context.say(line);
}

/** Parses `field=value`; the value is JSON where it reads as a list or null. */
function parseSetting(setting: string): [field: string, value: unknown] {
  const [, field = '', text = ''] = /^([^=]+)=([\s\S]*)$/.exec(setting) ?? [];
  if (!(editableFields as string[]).includes(field)) {
    throw new CommandError(`Write field=value, with one of these fields: ${editableFields.join(', ')}.`);
  }
  if (text !== 'null' && !text.startsWith('[')) return [field, text];
  try {
    return [field, JSON.parse(text)];
  } catch (cause) {
    throw new CommandError(`The value of ${field} is no JSON.`, { cause });
  }
}

function parsePatch({ categories }: Engine, fields: Record<string, unknown>) {
  const { data, error } = createAgentUpdateSchema(categories).omit({ id: true }).safeParse(fields);
  if (error) throw new CommandError(error.issues[0]?.message ?? 'The values are invalid');
  return data;
}

async function resetKey(context: CommandLine, idText: string, options: ActingOptions): Promise<void> {
  const acting = readActing('reset-key', options);
  const id = parseId(idText);
  await context.withDatabase(async ({ engine }) => {
    const key = createManagementKey();
    const store = createOperatorStore(engine, acting);
    const isReset = await store.setKeyHash(id, hashKey(key));
    if (!isReset) throw new CommandError(toTerminalText(await explainNothing(store, { ids: new Set([id]) })));
    context.say(key);
  });
}
