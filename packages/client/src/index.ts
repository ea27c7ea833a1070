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
  Change,
  ChangeKind,
  Changes,
  ChangesRequest,
  CategoryRequest,
  Facets,
  FacetsRequest,
  FieldChange,
  FieldError,
  HistoryEntry,
  ListedAgent,
  ListRequest,
  NewAgentInput,
  NewReportInput,
  PickedAgent,
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
