// The types of calls, of their inputs and of their results. The published package has them written out instead, by
// scripts/client-types.ts: without zod and tRPC, and with doc comments.
import type { AppRouter } from '@agent-registry/api/router';
import type { EntryFacts, Page, ReadName } from '@agent-registry/contracts';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AgentContext, Mutation, Query, QueryContext } from './calls.ts';

export type * from '@agent-registry/contracts';

type Inputs = inferRouterInputs<AppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;

export type AllAgentsRequest = Exclude<Inputs['agents']['list'], void>;
export type CategoryRequest = Inputs['agents']['byCategory'];
export type SearchRequest = Inputs['agents']['search'];
export type SuggestRequest = Inputs['agents']['suggest'];
export type FacetsRequest = Exclude<Inputs['agents']['facets'], void>;
export type ChangesRequest = Exclude<Inputs['changes']['list'], void>;
export type NewAgentInput = Inputs['agents']['register'];
export type NewConnection = NonNullable<NewAgentInput['connections']>[number];
export type AgentUpdate = Inputs['agents']['update'];
export type NewReportInput = Inputs['agents']['report'];
export type WebsiteChallenge = Outputs['agents']['challenge'];
export type ServerFacts = NonNullable<EntryFacts['server']>;

/** tRPC writes `void` for an input that can be left out. */
type Input<Given> = void extends Given ? Exclude<Given, void> | undefined : Given;
/** A page is its agents, as over REST. */
type Output<Result> = Result extends Page ? Page['agents'] : Result;
/** The reads that a management key changes. */
type OwnersRead = 'agents.get' | 'agents.facts';

/** The calls of a registry, by their groups and names. */
export type Calls<Unauthorized> = {
  [Group in keyof Inputs]: {
    [Name in keyof Inputs[Group] & keyof Outputs[Group] & string]: `${Group}.${Name}` extends ReadName
      ? Query<
          Input<Inputs[Group][Name]>,
          Output<Outputs[Group][Name]> | Unauthorized,
          `${Group}.${Name}` extends OwnersRead ? AgentContext : QueryContext
        >
      : Mutation<Inputs[Group][Name], Outputs[Group][Name]>;
  };
};
