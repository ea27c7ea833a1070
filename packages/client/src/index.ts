export type { Change, ChangeKind, Changes, ChangesRequest, FieldChange, HistoryEntry } from './change-types.ts';
export type { Connection, ConnectionInput, Connects, NewConnection } from './connection-types.ts';
export { createManagementKey } from './create-management-key.ts';
export { createClient, type RegistryClient } from './create-client.ts';
export type { FollowedChanges, FollowOptions } from './follow-changes.ts';
export type { AgentContext, CallOptions, ClientOptions, QueryContext, RestContext } from './rest-call.ts';
export { RestError } from './rest-error.ts';
export type {
  AgentFilters,
  AllAgentsRequest,
  CategoryRequest,
  Facets,
  FacetsRequest,
  ListRequest,
  SearchRequest,
  Suggestions,
  SuggestRequest,
} from './list-types.ts';
export type {
  Agent,
  AgentPatch,
  ApiAccess,
  CategoryId,
  FieldError,
  ListedAgent,
  NewAgentInput,
  NewReportInput,
  PickedAgent,
  Prefill,
  PricingModel,
  Report,
  ReportReason,
  SortOrder,
  Stats,
  WebsiteChallenge,
} from './types.ts';
