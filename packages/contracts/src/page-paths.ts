/** The route of an agent's page. */
export const AGENT_PAGE_PATH = '/agent/:id';
/** Where the page of an agent tells with POST that it is shown, so that the view is counted. */
export const AGENT_VIEW_PATH = `${AGENT_PAGE_PATH}/view`;

/** Returns the path of an agent's page. */
export function toAgentPath(id: string): string {
  return AGENT_PAGE_PATH.replace(':id', id);
}

/** The path of the skill that teaches assistants to use the registry. */
export const SKILL_PATH = '/skill.md';
/** The path of the call by which the page of an agent counts a view. */
export function toViewPath(id: string): string {
  return AGENT_VIEW_PATH.replace(':id', id);
}

/** The path of the Atom feed of the agents that were listed or edited last. */
export const FEED_PATH = '/feed.xml';

/** The path of the same feed as a JSON Feed. */
export const JSON_FEED_PATH = '/feed.json';
