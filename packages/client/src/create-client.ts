import { endpoints, type Endpoint } from '@agent-registry/contracts';
import type { Calls, Changes, ChangesRequest } from './contract.ts';
import { followChanges, type FollowedChanges, type FollowOptions } from './follow-changes.ts';
import type { CallOptions } from './calls.ts';
import { createRestCall, type ClientOptions } from './rest-call.ts';

/** A client of a registry: a function for each call. `Unauthorized` is the result of a query that gets a 401. */
export type RegistryClient<Unauthorized = never> = Calls<Unauthorized> & {
  /**
   * Follows the change log: yields each page with changes, and waits for the next. It goes on after outages and exceeded
   * limits, and starts anew, with `isStart`, where the registry no longer knows the cursor.
   * @example
   * for await (const { changes, next, isStart } of registry.followChanges({ after: saved, include: 'agents' })) …
   */
  followChanges: (options?: FollowOptions) => AsyncGenerator<FollowedChanges, void, undefined>;
};

/**
 * Creates a client that calls the registry's REST paths. A call rejects with a `RestError`, or with the error of `fetch`.
 * @example
 * const registry = createClient({ url: 'https://registry.example' });
 * const agents = await registry.agents.search.query({ q: 'translate' });
 */
export function createClient<On401 extends 'throw' | 'null' = 'throw'>(
  options: ClientOptions<On401>,
): RegistryClient<On401 extends 'null' ? null : never> {
  const call = createRestCall(options);
  const client: Record<string, Record<string, object>> = {};
  const list = (input: ChangesRequest, callOptions?: CallOptions) =>
    call('changes.list', input, callOptions) as Promise<Changes>;
  for (const [name, { method }] of Object.entries<Endpoint>(endpoints)) {
    const [group = '', procedure = ''] = name.split('.');
    const send = (input: unknown, callOptions?: CallOptions) => call(name, input, callOptions);
    client[group] = { ...client[group], [procedure]: method === 'GET' ? { query: send } : { mutate: send } };
  }
  return { ...client, followChanges: (following = {}) => followChanges(list, following) } as RegistryClient<
    On401 extends 'null' ? null : never
  >;
}
