import { getCategory, listTerms, toComparePath, type Agent, type SiteConfig } from '@agent-registry/contracts';
import { Comparison } from '../features/compare/Comparison.tsx';
import { SharedList } from '../features/compare/SharedList.tsx';
import { useCompared } from '../features/compare/use-chosen-agents.ts';
import { YourList } from '../features/compare/YourList.tsx';
import { shorten } from '../lib/shorten.ts';
import { useSiteConfig } from '../lib/site.ts';
import { PageHead, type PageDescription } from './page-head.tsx';

const MAX_NAMES_LENGTH = 120;

/** A comparison, or a shared list; without ids of either, the list of the browser. */
export function ChosenPage({ compared, shared }: { compared: readonly string[]; shared: readonly string[] }) {
  const siteConfig = useSiteConfig();
  if (compared.length > 0) return <ComparedAgents ids={compared} />;
  return (
    <>
      <PageHead {...describeKept(shared, siteConfig)} />
      {shared.length > 0 ? <SharedList ids={shared} /> : <YourList />}
    </>
  );
}

function ComparedAgents({ ids }: { ids: readonly string[] }) {
  const compared = useCompared(ids);
  return (
    <>
      <PageHead {...describeComparison(compared.agents ?? [], useSiteConfig())} />
      <Comparison ids={ids} {...compared} />
    </>
  );
}

/** It has a canonical path with at least two agents: in any order of their ids, without the ids that have no agent. */
export function describeComparison(agents: readonly Agent[], { name: site, categories }: SiteConfig): PageDescription {
  if (agents.length < 2) return { title: `Compare agents – ${site}`, description: 'AI agents side by side.' };
  const names = agents.map(({ name }) => shorten(name, MAX_NAMES_LENGTH / agents.length));
  const terms = agents.map((agent, index) => {
    const { name: category } = getCategory(categories, agent.category);
    return `${names[index]} (${[category, ...listTerms(agent)].join(', ')})`;
  });
  return {
    title: `Compare ${joinNames(names)} – ${site}`,
    description: shorten(`Pricing, API access, capabilities and tasks side by side: ${joinNames(terms)}.`),
    path: toComparePath(agents.map(({ id }) => id).toSorted()),
  };
}

function joinNames(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Without ids it is the list of the browser. */
export function describeKept(ids: readonly string[], { name: site }: SiteConfig): PageDescription {
  if (ids.length === 0) return { title: `Your list – ${site}`, description: 'The agents that this browser keeps.' };
  return { title: `A shared list – ${site}`, description: 'AI agents that somebody has chosen.' };
}
