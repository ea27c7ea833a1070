export type { Change, ChangeKind, Changes, ChangesRequest, FieldChange, HistoryEntry } from './change-types.ts';
export { createManagementKey } from './create-management-key.ts';
export { createClient, type RegistryClient } from './create-client.ts';
export type { FollowedChanges, FollowOptions } from './follow-changes.ts';
export type { AgentContext, CallOptions, ClientOptions, QueryContext, RestContext } from './rest-call.ts';
export { RestError } from './rest-error.ts';
export type {
  Agent,
  AgentFilters,
  AllAgentsRequest,
  AgentPatch,
  ApiAccess,
  CategoryId,
  CategoryRequest,
  Facets,
  FacetsRequest,
  FieldError,
  ListedAgent,
  ListRequest,
  NewAgentInput,
  NewReportInput,
  PickedAgent,
  Prefill,
  PricingModel,
  Report,
  ReportReason,
  SearchRequest,
  SortOrder,
  Stats,
  Suggestions,
  SuggestRequest,
  WebsiteChallenge,
} from './types.ts';
