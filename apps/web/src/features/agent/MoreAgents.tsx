import {
  formatCount,
  textBounds,
  type Agent,
  type CategoryId,
  type ListedAgent,
  type Page,
} from '@agent-registry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/trpc.ts';
import { AgentCard } from '../../components/AgentCard.tsx';
import { useCategory } from '../../lib/site.ts';
import classes from './AgentDetails.module.css';

export const MORE_AGENTS = 3;

/** The request for the newest agents of a category, the agent of the page among them. */
export function toMoreRequest(category: CategoryId) {
  return { category, limit: MORE_AGENTS + 1 };
}

/** The search for the agents of the category that share capabilities and words with an agent, which comes last itself. */
export function toAlikeRequest({ name, category }: Pick<Agent, 'name' | 'category'>) {
  // Quotes are operators, and a search has no more characters than the longest name here.
  const named = Array.from(name.toWellFormed().replaceAll('"', ' ')).slice(0, textBounds.name.max).join('');
  return { q: `like:"${named}" category:${category}`, limit: MORE_AGENTS + 1 };
}

/** Picks the cards below an agent: the closest agents, then the newest, without the agent itself. */
export function pickMore({ id }: Pick<Agent, 'id'>, closest?: Page, newest?: Page): ListedAgent[] {
  const agents = [...(closest?.agents ?? []), ...(newest?.agents ?? [])];
  const others = new Map(agents.map((other) => [other.id, other]));
  others.delete(id);
  return [...others.values()].slice(0, MORE_AGENTS);
}

export function MoreAgents({ agent }: { agent: Agent }) {
  const { category } = agent;
  const { name } = useCategory(category);
  const { queries } = useApi();
  const closest = useQuery(queries.agents.search.queryOptions(toAlikeRequest(agent)));
  const hasTooFew = !closest.isPending && pickMore(agent, closest.data).length < MORE_AGENTS;
  const newest = useQuery({
    ...queries.agents.byCategory.queryOptions(toMoreRequest(category)),
    enabled: hasTooFew,
  });
  const total = useQuery(queries.stats.get.queryOptions()).data?.agentsPerCategory[category];
  const isPending = closest.isPending || (hasTooFew && newest.isPending);
  const others = isPending ? [] : pickMore(agent, closest.data, newest.data);
  if (!isPending && others.length === 0) return null;
  return (
    <section className={classes.more} aria-labelledby="more-title" aria-busy={isPending}>
      <div className={classes.moreHead}>
        <h2 id="more-title">More in {name}</h2>
        {closest.data && total !== undefined && <span>closest of {formatCount(total)}</span>}
      </div>
      <ul className="cards">
        {others.map((other) => (
          <li key={other.id}>
            <AgentCard agent={other} />
          </li>
        ))}
      </ul>
    </section>
  );
}
