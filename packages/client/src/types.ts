import type { Agent, AgentUpdate, AllAgentsRequest, Change, Problem, Report } from './contract.ts';

/** What the use of an agent costs. */
export type PricingModel = Agent['pricingModel'];

/** Whether an agent has an API. */
export type ApiAccess = Agent['apiAccess'];

/** A way to connect: `mcp` is both a remote server and a package. */
export type Connects = NonNullable<AllAgentsRequest['connects']>[number];

/** The filters, the order and the page of a list; the whole list without a page. */
export type ListRequest = Omit<AllAgentsRequest, 'website'>;

/** Filters of a list. */
export type AgentFilters = Omit<ListRequest, 'sort' | 'limit' | 'after' | 'before' | 'position'>;

/** The order of a list. */
export type SortOrder = NonNullable<ListRequest['sort']>;

/** What became of an agent. */
export type ChangeKind = Change['change'];

/** What is wrong with an agent. */
export type ReportReason = Report['reason'];

/** Changes of an agent: new values of fields. Null stands for the default of a field that a registration may leave out. */
export type AgentPatch = Omit<AgentUpdate, 'id'>;

/** An error in one field of a request. */
export type FieldError = NonNullable<Problem['errors']>[number];
