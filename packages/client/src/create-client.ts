import type { AppRouter } from '@agent-registry/api/router';
import { createTRPCClient, type TRPCClient } from '@trpc/client';
import { restLink, type RestLinkOptions } from './rest-link.ts';

/** A client of the registry: a function for each procedure, typed end to end. */
export type RegistryClient = TRPCClient<AppRouter>;

/**
 * Creates a client that calls the registry's REST paths.
 * @example
 * const registry = createClient({ url: 'http://localhost:3000' });
 * const agents = await registry.agents.search.query({ q: 'translate' });
 */
export function createClient(options: RestLinkOptions): RegistryClient {
  return createTRPCClient<AppRouter>({ links: [restLink(options)] });
}
