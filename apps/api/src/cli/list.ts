import { describeShared, type Report } from '@agent-registry/contracts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import type { AgentSelection } from '../agents/select-agents.ts';
import { type CommandLine, CommandError, parseId, toTerminalText } from './command.ts';
import { readSelection, type SelectionOptions } from './selection-options.ts';
import type { InspectedAgent } from '../operator/inspect-agent.ts';

type ListOptions = SelectionOptions &
  Partial<Record<'hidden' | 'held' | 'refused' | 'withdrawn' | 'reported' | 'json', boolean>>;

type Line = { row: (string | number)[]; json: object };

export async function list(
  context: CommandLine,
  { hidden, held, refused, withdrawn, reported, json, ...options }: ListOptions,
): Promise<void> {
  const selection = await readSelection([], options);
  await context.withDatabase(async ({ engine }) => {
    const store = createOperatorStore(engine);
    const lists = [
      hidden && listState(store, selection, 'hidden'),
      held && listReviewed(store, selection, 'held'),
      refused && listReviewed(store, selection, 'refused'),
      withdrawn && listState(store, selection, 'withdrawn'),
      reported && listReported(store, selection),
    ].filter((lines) => lines !== undefined && lines !== false);
    for (const lines of lists.length > 0 ? lists : [listState(store, selection, 'listed')]) {
      for await (const { row, json: value } of lines) {
        if (json) context.sayJson(value);
        else context.sayRow(...row);
      }
    }
  });
}

async function* listState(
  store: OperatorStore,
  selection: AgentSelection,
  state: 'listed' | 'hidden' | 'withdrawn',
): AsyncGenerator<Line> {
  for await (const { agent, reason = '', since = agent.createdAt } of store.stream(selection, [state])) {
    const row = [agent.id, since, agent.name];
    if (state === 'hidden') yield { row: [...row, reason], json: { ...agent, reason, hiddenAt: since } };
    else yield { row, json: state === 'listed' ? agent : { ...agent, withdrawnAt: since } };
  }
}

async function* listReviewed(
  store: OperatorStore,
  selection: AgentSelection,
  state: 'held' | 'refused',
): AsyncGenerator<Line> {
  for await (const { kind, agent, patch, texts, since, reason, seen } of store.streamReviewed(state, selection)) {
    const isHeld = state === 'held';
    const what = kind === 'edit' ? Object.keys(patch).join(', ') : kind === 'read' ? 'read by a check' : kind;
    yield {
      row: [agent.id, since, agent.name, what, isHeld ? seen : reason],
      json: {
        ...agent,
        ...(isHeld ? { heldAt: since, seen } : { refusedAt: since, reason }),
        ...(kind === 'edit' && { proposed: patch }),
        ...(kind === 'read' && { read: texts }),
      },
    };
  }
}

async function* listReported(store: OperatorStore, selection: AgentSelection): AsyncGenerator<Line> {
  for await (const { agent, reports } of store.streamReported(selection)) {
    const latest = reports.findLast(({ text }) => text !== null);
    const row = [agent.id, reports.length, describeReasons(reports), agent.name, latest?.text ?? ''];
    yield { row, json: { ...agent, reports } };
  }
}

/** The reasons of reports with their numbers, such as `spam 2, broken 1`. */
function describeReasons(reports: readonly Report[]): string {
  const byReason = Map.groupBy(reports, ({ reason }) => reason);
  return [...byReason].map(([reason, { length }]) => `${reason} ${length}`).join(', ');
}

const BAR_LENGTH = 20;

export async function search(
  context: CommandLine,
  words: readonly string[],
  { explain = false }: { explain?: boolean },
): Promise<void> {
  await context.withDatabase(async ({ engine }) => {
    const { results, understood, correction } = await createOperatorStore(engine).explainSearch(words.join(' '));
    const greatest = Math.max(...results.flatMap(({ parts = [] }) => parts.map(({ amount }) => amount)));
    let last: string | undefined;
    for (const { id, name, score = '', group, parts = [] } of results) {
      if (explain && group !== undefined && group !== last) context.say(group);
      last = group;
      context.sayRow(id, score, name);
      for (const { text, amount } of explain ? parts : []) {
        const bar = amount > 0 ? ` ${'█'.repeat(Math.max(1, Math.round((BAR_LENGTH * amount) / greatest)))}` : '';
        context.say(`    ${toTerminalText(text)}${bar}`);
      }
    }
    if (explain && understood !== undefined) context.sayRow('understood as', understood);
    if (explain && correction !== undefined) context.sayRow('found by', correction);
  });
}

export async function show(context: CommandLine, idText: string, { json = false }: { json?: boolean }): Promise<void> {
  const id = parseId(idText);
  await context.withDatabase(async ({ engine }) => {
    const found = await createOperatorStore(engine).inspect(id);
    if (!found) throw new CommandError('No agent matches.');
    if (json) return context.sayJson(found);
    for (const [label, value] of toLines(found)) context.say(`${label.padEnd(18)}${toTerminalText(value)}`);
  });
}

function toLines({ agent, state, since, reason, proposal, seen, publication, ...found }: InspectedAgent) {
  const lines: [label: string, value: string][] = [
    ['state', [state, since && `since ${since}`, reason && `reason: ${reason}`].filter(Boolean).join(', ')],
    ['management key', found.hasKey ? 'yes' : 'no'],
    ...Object.entries(agent).map(([field, value]): [string, string] => [field, toText(value)]),
  ];
  if (proposal) {
    const why = proposal.reason && `reason: ${proposal.reason}`;
    lines.push(['proposed change', [proposal.state, `since ${proposal.since}`, why].filter(Boolean).join(', ')]);
    for (const [field, value] of Object.entries(proposal.patch)) lines.push([`  ${field}`, toText(value)]);
  }
  if (seen !== undefined) lines.push(['seen', seen]);
  for (const { source, attribution, licence, importedAt, goneAt } of found.sources) {
    const gone = goneAt && `gone since ${goneAt}`;
    lines.push(['source', [source, attribution, licence, `of ${importedAt}`, gone].filter(Boolean).join(', ')]);
  }
  if (publication) lines.push(['published', `${publication.name} ${publication.version} by ${publication.domain}`]);
  for (const other of found.sharing) lines.push(['shares', `${describeShared(other)} ${other.name} (${other.id})`]);
  if (found.pinned.length > 0) lines.push(['pinned', found.pinned.join(', ')]);
  for (const { createdAt, reason: kind, text } of found.reports) {
    lines.push(['report', [createdAt, kind, text].filter(Boolean).join(' ')]);
  }
  for (const { at, change, actor, fields = {} } of found.history) {
    lines.push(['history', `${at} ${change} by ${actor}`]);
    for (const [field, values] of Object.entries(fields)) {
      lines.push([`  ${field}`, values ? `${toText(values[0])} -> ${toText(values[1])}` : 'changed']);
    }
  }
  return lines;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
