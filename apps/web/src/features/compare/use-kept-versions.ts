import { isAgentId, type ListedAgent } from '@agent-registry/contracts';
import { useQueries } from '@tanstack/react-query';
import { readStatus } from '../../api/request-errors.ts';
import { useApi, type Api } from '../../api/trpc.ts';
import { toCard } from '../../api/use-agent-list.ts';

/** What the registry has of an agent now: what its card shows, or why it has none. */
export type KeptVersion = ListedAgent | 'withdrawn' | 'unknown';

export function toVersionQuery({ client }: Pick<Api, 'client'>, id: string) {
  return {
    queryKey: ['kept', id],
    queryFn: async (): Promise<KeptVersion> => {
      if (!isAgentId(id)) return 'unknown';
      try {
        return { ...toCard(await client.agents.get.query({ id })), contactEmail: null };
      } catch (error) {
        const status = readStatus(error);
        if (status === 410) return 'withdrawn';
        if (status === 404 || status === 400) return 'unknown';
        throw error;
      }
    },
  };
}

/** Loads what the registry has of agents; undefined for each that is not loaded. */
export function useKeptVersions(ids: readonly string[]) {
  const api = useApi();
  const results = useQueries({ queries: ids.map((id) => toVersionQuery(api, id)) });
  const failed = results.filter(({ error }) => error !== null);
  return {
    versions: results.map(({ data }) => data),
    isPending: results.some(({ isPending, error }) => isPending && error === null),
    /** Why an agent could not be loaded, or null. */
    error: failed[0]?.error ?? null,
    retry: () => Promise.all(failed.map(({ refetch }) => refetch())),
  };
}
