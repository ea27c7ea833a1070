import { toFirstPage, type BrowseParams } from '@agent-registry/contracts';
import { useLocation } from 'react-router-dom';
import { useAgentList, type AgentList } from '../../api/use-agent-list.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import { readList } from '../../navigation/read-list.ts';
import { readLocationState } from '../../navigation/location-state.ts';

/** The list in the URL and its agents. */
export type Browsed = { params: BrowseParams; list: AgentList };

/** Reads the list in the URL. @param isShown whether its agents are loaded */
export function useBrowse(isShown = true): Browsed {
  const location = useLocation();
  const urlParams = readList(location.search, useSiteConfig().categories);
  const { start } = readLocationState(location);
  // While cards are added, the URL follows them, and the list starts where it has started. The server knows the URL only.
  const isHydrated = useHydrated();
  const params = start && isHydrated ? { ...toFirstPage(urlParams), ...start } : urlParams;
  return { params, list: useAgentList(params, { enabled: isShown }) };
}
