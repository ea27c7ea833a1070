import { CARDS_PER_PAGE, SKELETON_CARDS, type Agent } from '@agent-registry/contracts';
import { Button, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { usePageMemory } from '../../page-memory.ts';
import { AgentCard } from './AgentCard.tsx';
import classes from './Results.module.css';
import { SkeletonCard } from './SkeletonCard.tsx';

type ResultsProps = {
  query: { data: Agent[] | undefined; isError: boolean; refetch: () => unknown };
  /** Whether a search or a category is active. */
  isFiltered: boolean;
};

/** The agents that match, twelve at first and twelve more at each press of the button. */
export function Results({ query: { data: agents, isError, refetch }, isFiltered }: ResultsProps) {
  const { cardsShown } = usePageMemory();
  const { key } = useLocation();
  const [limit, setLimit] = useState(() => cardsShown.get(key) ?? CARDS_PER_PAGE);
  const firstNewCard = useRef<HTMLLIElement>(null);
  const shown = agents?.slice(0, limit) ?? [];
  const areAllShown = shown.length === agents?.length;

  useEffect(() => {
    cardsShown.set(key, limit);
  }, [cardsShown, key, limit]);

  const showMore = () => {
    if (areAllShown) return;
    flushSync(() => setLimit(limit + CARDS_PER_PAGE));
    // Whoever asked for more goes on reading at the first card that came.
    firstNewCard.current?.querySelector('a')?.focus({ preventScroll: true });
  };

  if (isError && !agents) {
    return (
      <div role="alert" className={classes.note}>
        <Text mb="md">The agents could not be loaded.</Text>
        <Button variant="default" onClick={() => refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (!agents) {
    return (
      <div aria-busy="true">
        <VisuallyHidden role="status">Loading agents…</VisuallyHidden>
        <div className={classes.grid}>
          {Array.from({ length: SKELETON_CARDS }, (_, index) => (
            <SkeletonCard key={index} />
          ))}
        </div>
      </div>
    );
  }
  if (agents.length === 0) {
    return (
      <Text role="status" className={classes.note}>
        {isFiltered ? 'No agents found matching your criteria.' : 'No agents available.'}
      </Text>
    );
  }
  return (
    <>
      <ul className={classes.grid}>
        {shown.map((agent, index) => (
          <li key={agent.id} ref={index === limit - CARDS_PER_PAGE ? firstNewCard : undefined}>
            <AgentCard agent={agent} />
          </li>
        ))}
      </ul>
      <div className={classes.more}>
        <Text role="status" size="sm" c="var(--muted-text)">
          {areAllShown ? describeAll(agents.length) : `Showing ${shown.length} of ${agents.length} agents`}
        </Text>
        <Button variant="default" size="md" onClick={showMore}>
          Load More Agents
        </Button>
      </div>
    </>
  );
}

function describeAll(count: number): string {
  return count === 1 ? 'The only agent is shown.' : `All ${count} agents are shown.`;
}
