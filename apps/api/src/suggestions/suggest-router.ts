import { suggestionsSchema, suggestRequestSchema, type Category, type Suggestions } from '@agent-registry/contracts';
import { procedureFor, router } from '../trpc.ts';
import { toKey, toStarts } from '../agents/suggestion-keys.ts';

/** Creates the procedure that suggests agents, capabilities and categories while people type. */
export function createSuggestRouter(categories: readonly Category[]) {
  return router({
    suggest: procedureFor('agents.suggest')
      .input(suggestRequestSchema)
      .output(suggestionsSchema)
      .query(async ({ ctx, input: { q } }) => ({
        ...(await ctx.agents.suggest(q)),
        categories: suggestCategories(categories, q),
      })),
  });
}

function suggestCategories(categories: readonly Category[], text: string): Suggestions['categories'] {
  const key = toKey(text);
  if (key === '') return [];
  return categories
    .filter(({ name }) => toStarts(name).some((start) => start.startsWith(key)))
    .map(({ id, name }) => ({ id, name }));
}
