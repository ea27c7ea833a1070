import {
  ALL_FILTER_PARAMETERS,
  POSITION_HEADER,
  toCursor,
  TOTAL_HEADER,
  type AgentFilters,
  type ListedAgent,
  type SortOrder,
} from '@agent-registry/contracts';
import type { AgentPage, PagePart } from './agent-store.ts';

/** The query parameters of a page. */
type PageQuery = AgentFilters &
  PagePart & {
    website?: string | undefined;
    q?: string;
    correct?: boolean | undefined;
    sort?: SortOrder | undefined;
    fields?: readonly string[] | undefined;
  };

/** Whether a list request asks for a page, not for the full list. */
export function isPage({ limit, after, before, from }: Partial<PagePart>): boolean {
  return [limit, after, before, from].some((part) => part !== undefined);
}

/** The headers of a page: the size of the full list, the position in it and the links to the pages beside it. */
export function describePage(page: AgentPage<ListedAgent>, path: string, query: PageQuery): Record<string, string> {
  const { agents, total, hasMore, hasPrevious, position } = page;
  const [first, last] = [agents[0], agents.at(-1)];
  const order = query.sort ?? (query.q === undefined ? 'newest' : 'best');
  const toPlace = (agent: ListedAgent, index: number) =>
    // The place in a search is the position; where that is not known, the id stands for the cursor.
    order === 'best' && position === undefined ? agent.id : toCursor(agent, order, (position ?? 1) + index);
  // Only for clients that know it: others read a `Link` with one link.
  const linksBack = query.before !== undefined || query.position === true;
  const links = [
    ...(hasMore && last ? [toLink('next', { after: toPlace(last, agents.length - 1) })] : []),
    ...(linksBack && hasPrevious && first ? [toLink('prev', { before: toPlace(first, 0) })] : []),
  ];
  return {
    [TOTAL_HEADER]: String(total),
    ...(query.position === true && position !== undefined && { [POSITION_HEADER]: String(position) }),
    ...(links.length > 0 && { Link: links.join(', ') }),
  };

  function toLink(relation: string, cursor: Pick<PagePart, 'after' | 'before'>): string {
    const { q, correct, website, sort, limit, fields } = query;
    const filters = Object.fromEntries(ALL_FILTER_PARAMETERS.map((name) => [name, query[name]]));
    const parameters = { q, correct, ...filters, website, sort, limit, ...cursor, position: query.position, fields };
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, String(value));
    return `<${path}?${search.toString()}>; rel="${relation}"`;
  }
}
