import type { Agent, ListedAgent } from '@agent-registry/contracts';
import { useQueries, type QueryKey } from '@tanstack/react-query';
import { toAgentQuery, useApi, type AgentVersion, type Api } from '../../api/trpc.ts';
import { toCard } from '../../api/use-agent-list.ts';

/** What the registry has of an agent now: what its card shows, or why it has none. */
export type KeptVersion = ListedAgent | Exclude<AgentVersion, Agent>;

export function toCardQuery(api: Api, id: string) {
  const { queryKey, queryFn } = toAgentQuery(api, id);
  return {
    queryKey: [...queryKey, 'card'],
    queryFn: async (): Promise<KeptVersion> => {
      const version = await queryFn();
      return typeof version === 'string' ? version : { ...toCard(version), contactEmail: null };
    },
  };
}

/** Loads the cards of agents; undefined for each that is not loaded. */
export function useKeptVersions(ids: readonly string[]) {
  const api = useApi();
  return useVersions(ids.map((id) => toCardQuery(api, id)));
}

export type Compared = ReturnType<typeof useCompared>;

/** Loads the agents of a comparison. */
export function useCompared(ids: readonly string[]) {
  const api = useApi();
  const { versions, error, retry } = useVersions(ids.map((id) => toAgentQuery(api, id)));
  return {
    /** In the order of the comparison; undefined until all are loaded. */
    agents: versions.includes(undefined) ? undefined : versions.filter((version) => typeof version === 'object'),
    missing: ids.flatMap((id, index) => {
      const version = versions[index];
      return typeof version === 'string' ? [{ id, isWithdrawn: version === 'withdrawn' }] : [];
    }),
    error,
    retry,
  };
}

function useVersions<Version>(queries: { queryKey: QueryKey; queryFn: () => Promise<Version> }[]) {
  const results = useQueries({ queries });
  const failed = results.filter(({ error }) => error !== null);
  return {
    versions: results.map(({ data }) => data),
    isPending: results.some(({ isPending, error }) => isPending && error === null),
    /** Why an agent could not be loaded, or null. */
    error: failed[0]?.error ?? null,
    /** Loads each that could not be loaded again. */
    retry: () => Promise.all(failed.map(({ refetch }) => refetch())),
  };
}
