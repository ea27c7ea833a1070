import { BRAND, getCategory, toAgentPath, type Agent } from '@agent-registry/contracts';
import { toBrowsePath, type BrowseParams } from '../navigation/browse-params.ts';
import { useSite } from '../ssr/site.ts';

/** What a page is, for who finds it elsewhere. */
export type PageDescription = {
  title: string;
  description: string;
  /** The path at which the page is known; without it the page has none, as one that was not found. */
  path?: string;
};

/** Longest description of a page, in characters; search engines and messengers show no more. */
const MAX_LENGTH = 160;

/** Describes the home page with what is browsed there. */
export function describeHome({ category, text, after }: BrowseParams): PageDescription {
  const path = toBrowsePath({ category, text: category ? '' : text, after });
  if (category) {
    const { name, description } = getCategory(category);
    return { title: `${name} – ${BRAND}`, description: `AI agents in ${name}. ${description}`, path };
  }
  if (text) {
    const description = `AI agents, bots and automation tools that match ‘${text}’.`;
    return { title: `‘${text}’ – ${BRAND}`, description: shorten(description), path };
  }
  const description =
    'Discover and register AI agents: a comprehensive registry for AI agents, bots and automation tools.';
  return { title: `${BRAND}: discover and register AI agents`, description, path };
}

/** Describes the page of an agent. */
export function describeAgent({ id, name, description }: Agent): PageDescription {
  return { title: `${name} – ${BRAND}`, description: shorten(description), path: toAgentPath(id) };
}

/** The page of an agent that does not exist. */
export const agentNotFound: PageDescription = {
  title: `Agent Not Found – ${BRAND}`,
  description: 'The requested agent could not be found.',
};

/** The page at every path that has none. */
export const pageNotFound: PageDescription = {
  title: `404 Page Not Found – ${BRAND}`,
  description: 'There is no page at this address.',
};

/** Puts what a page is into the head of the document. */
export function PageHead({ title, description, path }: PageDescription) {
  const { origin } = useSite();
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {path !== undefined && <link rel="canonical" href={origin + path} />}
    </>
  );
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= MAX_LENGTH) return line;
  // A character of two code units is not cut in half, nor, if it can be helped, a word.
  const cut = line.slice(0, MAX_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.replace(/\s\S{0,30}$/, '')}…`;
}
