export { createManagementKey } from './create-management-key.ts';
export { createClient, type RegistryClient } from './create-client.ts';
export type {
  Agent,
  AllAgentsRequest,
  CategoryId,
  CategoryRequest,
  Change,
  Changes,
  ChangesRequest,
  Connection,
  ConnectionInput,
  EntryFacts,
  Facets,
  FacetsRequest,
  FieldChange,
  HistoryEntry,
  ListedAgent,
  NewAgentInput,
  NewConnection,
  NewReportInput,
  Prefill,
  Report,
  SearchRequest,
  ServerFacts,
  Stats,
  Suggestions,
  SuggestRequest,
  WebsiteChallenge,
} from './contract.ts';
export type { FollowedChanges, FollowOptions } from './follow-changes.ts';
export type { AgentContext, CallOptions, QueryContext, RestContext } from './calls.ts';
export type { ClientOptions } from './rest-call.ts';
export { RestError } from './rest-error.ts';
export type * from './types.ts';
