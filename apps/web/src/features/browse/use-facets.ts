import { toFacetsRequest, type BrowseParams, type Facets } from '@agent-registry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/trpc.ts';

/** How many agents each value of a filter would leave; undefined until they are counted. */
export function useFacets(params: BrowseParams): Facets | undefined {
  const { queries } = useApi();
  return useQuery(queries.agents.facets.queryOptions(toFacetsInput(params))).data;
}

/** The input of `agents.facets` for a list; undefined for the whole directory. */
export function toFacetsInput(params: BrowseParams) {
  const input = toFacetsRequest(params);
  return Object.keys(input).length > 0 ? input : undefined;
}
