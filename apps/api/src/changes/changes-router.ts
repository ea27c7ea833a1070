import {
  changesRequestSchema,
  changesSchema,
  MAX_CHANGES,
  MAX_PAGE_SIZE,
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
  { agents, changes, pageBytes }: Context,
  { after, limit = MAX_CHANGES, include }: z.output<typeof changesRequestSchema> = {},
): Promise<Changes> {
  const cursor = after === undefined ? undefined : parseChangesCursor(after);
  const page = await changes.list({ after: cursor, limit: include ? Math.min(limit, MAX_PAGE_SIZE) : limit });
  if (!page) {
    throw new RegistryError('gone', 'after is outdated or of another log. Start anew, without after');
  }
  const ids = include ? page.changes.flatMap(({ id, change }) => (change === 'removed' ? [] : id)) : [];
  const { agents: listed, leftOut } = await agents.findAll(ids, pageBytes);
  const byId = new Map(listed.map((agent) => [agent.id, withoutContact(agent)]));
  const end = leftOut === undefined ? page.changes.length : page.changes.findIndex(({ id }) => id === leftOut);
  const sent = page.changes.slice(0, end);
  return {
    changes: sent.map(({ id, change, at }) => ({ id, change, at, ...(include && { agent: byId.get(id) }) })),
    next: toChangesCursor({ log: page.log, number: sent.at(-1)?.number ?? cursor?.number ?? 0 }),
    hasMore: page.hasMore || end < page.changes.length,
  };
}

function withoutContact(listed: ListedAgent): Change['agent'] {
  const { contactEmail: _, ...agent } = listed;
  return agent;
}
