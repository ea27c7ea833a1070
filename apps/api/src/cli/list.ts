import type { Report } from '@agent-registry/contracts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { sayJson, sayRow, withDatabase, type CommandContext } from './command.ts';
import { readSelection, type SelectionOptions } from './selection-options.ts';

/** Lists visible, hidden, held, withdrawn or reported agents, one a line, as fields separated by tabs or as JSON. */
export async function list(
  context: CommandContext,
  {
    hidden,
    held,
    withdrawn,
    reported,
    json,
    ...options
  }: SelectionOptions & {
    hidden?: boolean;
    held?: boolean;
    withdrawn?: boolean;
    reported?: boolean;
    json?: boolean;
  },
): Promise<void> {
  const selection = await readSelection([], options);
  await withDatabase(context, async ({ engine }) => {
    const store = createKyselyOperatorStore(engine);
    if (hidden) {
      for await (const { agent, reason, since: hiddenAt } of store.streamUnlisted(selection, 'hidden')) {
        const { id, name } = agent;
        if (json) sayJson(context, { id, name, reason, hiddenAt });
        else sayRow(context, id, hiddenAt, name, reason);
      }
    }
    if (held) {
      for await (const { agent, since: heldAt } of store.streamUnlisted(selection, 'held')) {
        const { id, name } = agent;
        if (json) sayJson(context, { id, name, heldAt });
        else sayRow(context, id, heldAt, name);
      }
    }
    if (withdrawn) {
      for await (const { agent, since: withdrawnAt } of store.streamUnlisted(selection, 'withdrawn')) {
        const { id, name } = agent;
        if (json) sayJson(context, { id, name, withdrawnAt });
        else sayRow(context, id, withdrawnAt, name);
      }
    }
    if (reported) {
      for await (const { agent, reports } of store.streamReported(selection)) {
        const { id, name } = agent;
        if (json) sayJson(context, { id, name, reports });
        else sayRow(context, id, reports.length, describeReasons(reports), name, findLatestText(reports));
      }
    }
    if (hidden || held || withdrawn || reported) return;
    for await (const { id, name, createdAt } of store.streamVisible(selection)) {
      if (json) sayJson(context, { id, name, createdAt });
      else sayRow(context, id, createdAt, name);
    }
  });
}

/** The reasons of reports with their numbers, such as `spam 2, broken 1`. */
function describeReasons(reports: readonly Report[]): string {
  const byReason = Map.groupBy(reports, ({ reason }) => reason);
  return [...byReason].map(([reason, { length }]) => `${reason} ${length}`).join(', ');
}

/** The text of the latest report that has one. */
function findLatestText(reports: readonly Report[]): string {
  return reports.findLast((report) => report.text !== null)?.text ?? '';
}
