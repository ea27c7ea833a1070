import {
  changesRequestSchema,
  changesSchema,
  MAX_CHANGES,
  parseChangesCursor,
  toChangesCursor,
  type Change,
  type Changes,
  type ListedAgent,
} from '@agent-registry/contracts';
import type { z } from 'zod';
import { RegistryError } from '../registry-error.ts';
import { procedureFor, router, type Context } from '../trpc.ts';

/** The procedure that lists what changed in the registry. */
export const changesRouter = router({
  list: procedureFor('changes.list')
    .input(changesRequestSchema.optional())
    .output(changesSchema)
    .query(({ ctx, input }) => listChanges(ctx, input)),
});

async function listChanges(
  { agents, changes }: Context,
  { after, limit = MAX_CHANGES, include }: z.output<typeof changesRequestSchema> = {},
): Promise<Changes> {
  const page = await changes.list({ after: after === undefined ? undefined : parseChangesCursor(after), limit });
  if (!page) {
    throw new RegistryError('gone', 'after is outdated or of another log. Start anew, without after');
  }
  const { hasMore } = page;
  const next = toChangesCursor(page.next);
  if (include === undefined) return { changes: page.changes, next, hasMore };
  const listed = await agents.findAll(page.changes.flatMap(({ id, change }) => (change === 'removed' ? [] : id)));
  const byId = new Map(listed.map((agent) => [agent.id, withoutContact(agent)]));
  return { changes: page.changes.map((change) => ({ ...change, agent: byId.get(change.id) })), next, hasMore };
}

function withoutContact(listed: ListedAgent): Change['agent'] {
  const { contactEmail: _, ...agent } = listed;
  return agent;
}
