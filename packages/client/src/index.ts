export type * from './change-types.ts';
export type * from './connection-types.ts';
export { createManagementKey } from './create-management-key.ts';
export { createClient, type RegistryClient } from './create-client.ts';
export type { FollowedChanges, FollowOptions } from './follow-changes.ts';
export type * from './list-types.ts';
export type { AgentContext, CallOptions, ClientOptions, QueryContext, RestContext } from './rest-call.ts';
export { RestError } from './rest-error.ts';
export type * from './types.ts';
