import type { Agent, CategoryId } from '@agent-registry/contracts';
import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/trpc.ts';
import { AgentCard } from '../../components/AgentCard.tsx';
import { useCategory } from '../../components/use-category.ts';
import classes from './MoreAgents.module.css';

/** Cards below an agent. */
const MORE_AGENTS = 3;

/** The request for the cards below an agent, which may be among them. */
export function toMoreRequest(category: CategoryId) {
  return { category, limit: MORE_AGENTS + 1 };
}

/** Other agents of the category, newest first. */
export function MoreAgents({ agent: { id, category } }: { agent: Agent }) {
  const { name } = useCategory(category);
  const { data = [], isPending } = useQuery(useApi().queries.agents.byCategory.queryOptions(toMoreRequest(category)));
  const others = data.filter((other) => other.id !== id).slice(0, MORE_AGENTS);
  if (!isPending && others.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="more-title" aria-busy={isPending}>
      <Title order={2} id="more-title" mb="md">
        More in {name}
      </Title>
      <ul className={classes.cards}>
        {others.map((other) => (
          <li key={other.id}>
            <AgentCard agent={other} />
          </li>
        ))}
      </ul>
    </section>
  );
}
