import type { Agent, ListedAgent } from '@agent-registry/contracts';
import { useQueries, type QueryKey } from '@tanstack/react-query';
import { toAgentQuery, useApi, type AgentVersion, type Api } from '../../api/trpc.ts';
import { toCard } from '../../api/use-agent-list.ts';

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

export function useKeptVersions(ids: readonly string[]) {
  const api = useApi();
  return useVersions(ids.map((id) => toCardQuery(api, id)));
}

export type Compared = ReturnType<typeof useCompared>;

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
    error: failed[0]?.error ?? null,
    retry: () => Promise.all(failed.map(({ refetch }) => refetch())),
  };
}
