import { HandleEmptyInListsPlugin, replaceWithNoncontingentExpression, type KyselyConfig } from 'kysely';
import type { QueryListener } from './engine.ts';

/** The Kysely options of every engine. A condition on an empty list is false, which PostgreSQL cannot parse as `in ()`. */
export function kyselyOptions(onQuery: QueryListener | undefined): Pick<KyselyConfig, 'log' | 'plugins'> {
  return {
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
    ...(onQuery && { log: ({ queryDurationMillis }) => onQuery(queryDurationMillis) }),
  };
}
