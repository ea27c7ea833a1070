export type { AppRouter } from '@agent-registry/api/router';
export type { Agent, CategoryId, NewAgentInput, Stats } from '@agent-registry/contracts';
export { createClient, type RegistryClient } from './create-client.ts';
export { RestError, restLink, type RestContext, type RestLinkOptions } from './rest-link.ts';
