import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { say, withDatabase } from './command.ts';
import { readSelection, type SelectionOptions } from './selection-options.ts';

/** Lists visible, hidden or withdrawn agents, one a line, as fields separated by tabs or as JSON. */
export async function list({
  hidden,
  withdrawn,
  json,
  ...options
}: SelectionOptions & { hidden?: boolean; withdrawn?: boolean; json?: boolean }): Promise<void> {
  const selection = await readSelection([], options);
  await withDatabase(async ({ engine }) => {
    const store = createKyselyOperatorStore(engine);
    if (hidden) {
      for await (const { agent, reason, since: hiddenAt } of store.streamUnlisted(selection, 'hidden')) {
        const { id, name } = agent;
        say(json ? JSON.stringify({ id, name, reason, hiddenAt }) : [id, hiddenAt, name, reason].join('\t'));
      }
    }
    if (withdrawn) {
      for await (const { agent, since: withdrawnAt } of store.streamUnlisted(selection, 'withdrawn')) {
        const { id, name } = agent;
        say(json ? JSON.stringify({ id, name, withdrawnAt }) : [id, withdrawnAt, name].join('\t'));
      }
    }
    if (hidden || withdrawn) return;
    for await (const { id, name, createdAt } of store.streamVisible(selection)) {
      say(json ? JSON.stringify({ id, name, createdAt }) : [id, createdAt, name].join('\t'));
    }
  });
}
