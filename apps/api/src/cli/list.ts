import type { Report } from '@agent-registry/contracts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { say, withDatabase } from './command.ts';
import { readSelection, type SelectionOptions } from './selection-options.ts';

/** Lists visible, hidden, held, withdrawn or reported agents, one a line, as fields separated by tabs or as JSON. */
export async function list({
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
}): Promise<void> {
  const selection = await readSelection([], options);
  await withDatabase(async ({ engine }) => {
    const store = createKyselyOperatorStore(engine);
    if (hidden) {
      for await (const { agent, reason, since: hiddenAt } of store.streamUnlisted(selection, 'hidden')) {
        const { id, name } = agent;
        say(json ? JSON.stringify({ id, name, reason, hiddenAt }) : [id, hiddenAt, name, reason].join('\t'));
      }
    }
    if (held) {
      for await (const { agent, since: heldAt } of store.streamUnlisted(selection, 'held')) {
        const { id, name } = agent;
        say(json ? JSON.stringify({ id, name, heldAt }) : [id, heldAt, name].join('\t'));
      }
    }
    if (withdrawn) {
      for await (const { agent, since: withdrawnAt } of store.streamUnlisted(selection, 'withdrawn')) {
        const { id, name } = agent;
        say(json ? JSON.stringify({ id, name, withdrawnAt }) : [id, withdrawnAt, name].join('\t'));
      }
    }
    if (reported) {
      for await (const { agent, reports } of store.streamReported(selection)) {
        const { id, name } = agent;
        if (json) say(JSON.stringify({ id, name, reports }));
        else say([id, reports.length, describeReasons(reports), name, findLatestText(reports)].join('\t'));
      }
    }
    if (hidden || held || withdrawn || reported) return;
    for await (const { id, name, createdAt } of store.streamVisible(selection)) {
      say(json ? JSON.stringify({ id, name, createdAt }) : [id, createdAt, name].join('\t'));
    }
  });
}

/** The reasons of reports with their numbers, such as `spam 2, broken 1`. */
function describeReasons(reports: readonly Report[]): string {
  const byReason = Map.groupBy(reports, ({ reason }) => reason);
  return [...byReason].map(([reason, { length }]) => `${reason} ${length}`).join(', ');
}

/** The text of the latest report that has one, on one line. */
function findLatestText(reports: readonly Report[]): string {
  const text = reports.findLast((report) => report.text !== null)?.text ?? '';
  return text.replaceAll(/[\s\p{Bidi_Control}]+/gu, ' ');
}
