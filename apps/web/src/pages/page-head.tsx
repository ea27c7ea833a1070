import {
  AGENT_WITHDRAWN,
  describeSubject,
  getCategory,
  hasUnknownCategory,
  toAgentPath,
  toBrowsePath,
  type Agent,
  type BrowseParams,
  type ManageAction,
  type SiteConfig,
} from '@agent-registry/contracts';
import { shorten } from '../lib/shorten.ts';
import { useSite } from '../lib/site.ts';

export type PageDescription = {
  title: string;
  description: string;
  /** The canonical path; undefined for a page that is not for search engines. */
  path?: string;
};

export function describeHome(params: BrowseParams, siteConfig: SiteConfig): PageDescription {
  const { category, text } = params;
  // A list is the same in each view.
  const path = toBrowsePath({ ...params, text: category ? '' : text, view: undefined });
  const known = category && getCategory(siteConfig.categories, category);
  const subject = shorten(describeSubject(params, siteConfig.categories));
  const title = `${subject} – ${siteConfig.name}`;
  if (known) return { title, description: `AI agents in ${subject}. ${known.description}`.trimEnd(), path };
  if (subject) {
    return { title, description: shorten(`AI agents, bots and automation tools that match ${subject}.`), path };
  }
  const { name, tagline, lead, isCustom } = siteConfig;
  if (isCustom) return { title: `${name}: ${tagline}`, description: shorten(lead ?? tagline), path };
  const description =
    'Discover and register AI agents: a comprehensive registry for AI agents, bots and automation tools.';
  return { title: `${name}: discover and register AI agents`, description, path };
}

const actionTitles: Record<ManageAction, string> = {
  edit: 'Edit',
  withdraw: 'Withdraw',
  key: 'Lost key of',
  report: 'Report a problem with',
};

export function describeAgent(
  { id, name, description }: Agent,
  siteConfig: SiteConfig,
  action?: ManageAction,
): PageDescription {
  const title = action ? `${actionTitles[action]} ${name}` : name;
  return { title: `${title} – ${siteConfig.name}`, description: shorten(description), path: toAgentPath(id) };
}

const describeMessage =
  (title: string, description: string) =>
  ({ name }: SiteConfig): PageDescription => ({ title: `${title} – ${name}`, description });

export const describeAgentNotFound = describeMessage('Agent Not Found', 'The requested agent could not be found.');
export const describeAgentWithdrawn = describeMessage('Agent Withdrawn', `${AGENT_WITHDRAWN}.`);
export const describePageNotFound = describeMessage('404 Page Not Found', 'There is no page at this address.');

export type InvalidPart = 'List' | 'Category' | 'Form';

export function findInvalidPart(params: URLSearchParams, { categories }: SiteConfig): InvalidPart {
  return hasUnknownCategory(params, categories) ? 'Category' : 'List';
}

export const describeInvalid = (part: InvalidPart, { name }: SiteConfig): PageDescription => ({
  title: `No Such ${part} – ${name}`,
  description: `This address asks for a ${part.toLowerCase()} that does not exist.`,
});

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
