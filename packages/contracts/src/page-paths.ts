/** The address of an agent's page, as routers have it. */
export const AGENT_PAGE_PATH = '/agent/:id';

/** The address of the page of one agent. */
export function toAgentPath(id: string): string {
  return AGENT_PAGE_PATH.replace(':id', id);
}

/** The query parameters of the home page; all others are ignored. */
export const HOME_PARAMETERS = ['q', 'category', 'after'] as const;
