import { createOperatorStore } from '../operator/operator-store.ts';
import type { InspectedAgent } from '../operator/inspect-agent.ts';
import { CommandError, parseId, say, sayJson, toTerminalText, withDatabase, type CommandContext } from './command.ts';

/** Prints an agent in whatever state it is, for people or as JSON. */
export async function show(
  context: CommandContext,
  idText: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const id = parseId(idText);
  await withDatabase(context, async ({ engine }) => {
    const found = await createOperatorStore(engine).inspect(id);
    if (!found) throw new CommandError('No agent matches.');
    if (json) return sayJson(context, found);
    for (const [label, value] of toLines(found)) say(context, `${label.padEnd(18)}${toTerminalText(value)}`);
  });
}

/** The lines of an agent: a label and a text. */
function toLines({
  agent,
  state,
  since,
  reason,
  hasKey,
  proposal,
  seen,
  reports,
  sources,
  pinned,
  history,
}: InspectedAgent) {
  const lines: [label: string, value: string][] = [
    ['state', [state, since && `since ${since}`, reason && `reason: ${reason}`].filter(Boolean).join(', ')],
    ['management key', hasKey ? 'yes' : 'no'],
    ...Object.entries(agent).map(([field, value]): [string, string] => [field, toText(value)]),
  ];
  if (proposal) {
    const why = proposal.reason && `reason: ${proposal.reason}`;
    lines.push(['proposed change', [proposal.state, `since ${proposal.since}`, why].filter(Boolean).join(', ')]);
    for (const [field, value] of Object.entries(proposal.patch)) lines.push([`  ${field}`, toText(value)]);
  }
  if (seen !== undefined) lines.push(['seen', seen]);
  for (const { source, attribution, licence, importedAt, goneAt } of sources) {
    const gone = goneAt && `gone since ${goneAt}`;
    lines.push(['source', [source, attribution, licence, `of ${importedAt}`, gone].filter(Boolean).join(', ')]);
  }
  if (pinned.length > 0) lines.push(['pinned', pinned.join(', ')]);
  for (const { createdAt, reason: kind, text } of reports) {
    lines.push(['report', [createdAt, kind, text].filter(Boolean).join(' ')]);
  }
  for (const { at, change, actor, fields = {} } of history) {
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
