import { CARDS_PER_PAGE, SKELETON_CARDS } from '@agent-registry/contracts';
import { Anchor, Button, Loader, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { AgentList } from '../../agent-list.ts';
import { toBrowsePath, type Browsing } from '../../browsing.ts';
import { stayingInPlace } from '../../layout/use-page-scroll.ts';
import { usePageMemory } from '../../page-memory.ts';
import { AgentCard } from './AgentCard.tsx';
import classes from './Results.module.css';
import { SkeletonCard } from './SkeletonCard.tsx';

type ResultsProps = {
  list: AgentList;
  browsing: Browsing;
};

const figure = new Intl.NumberFormat('en-US');

/** The agents that match, twelve at first and twelve more at each press of the button. */
export function Results({ list, browsing }: ResultsProps) {
  const { agents, total, hasMore, isError, refetch, readMore } = list;
  const { category, text, after } = browsing;
  const memory = usePageMemory();
  const { key } = useLocation();
  const [limitAtFirst] = useState(() => memory.readPlace(key).cardsShown ?? CARDS_PER_PAGE);
  const [limit, setLimit] = useState(limitAtFirst);
  const [isBusy, setIsBusy] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const grid = useRef<HTMLUListElement>(null);
  const request = useRef<{ firstNew: number; from: Element | null }>(undefined);
  const shown = agents?.slice(0, limit) ?? [];
  const areAllShown = shown.length === agents?.length && !hasMore;

  useEffect(() => {
    memory.keepPlace(key, { cardsShown: limit });
  }, [memory, key, limit]);

  // A page that is loaded again has no more than its first cards.
  const readSoFar = agents?.length;
  const readOn = useEffectEvent(() => readMore().then((couldRead) => setHasFailed(!couldRead)));
  useEffect(() => {
    if (readSoFar !== undefined && readSoFar < limitAtFirst && hasMore && !hasFailed) void readOn();
  }, [readSoFar, limitAtFirst, hasMore, hasFailed]);

  useEffect(() => {
    const firstNew = grid.current?.children[request.current?.firstNew ?? -1];
    if (!request.current || !firstNew) return;
    // Whoever asked for more goes on reading at the first card that came, unless busy elsewhere by now.
    const hasStayed = [request.current.from, document.body].includes(document.activeElement);
    if (hasStayed) firstNew.querySelector('a')?.focus({ preventScroll: true });
    request.current = undefined;
  });

  const showMore = async () => {
    if (areAllShown || isBusy) return;
    request.current = { firstNew: shown.length, from: document.activeElement };
    if (shown.length === agents?.length) {
      setIsBusy(true);
      const couldRead = await readMore();
      setIsBusy(false);
      setHasFailed(!couldRead);
      if (!couldRead) return;
    }
    setLimit(Math.max(limit, shown.length + CARDS_PER_PAGE));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void showMore();
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
        {category || text ? 'No agents found matching your criteria.' : 'No agents available.'}
      </Text>
    );
  }
  return (
    <>
      {after && (
        <Text size="sm" mb="md">
          <Anchor component={Link} to={toBrowsePath({ category, text })} {...stayingInPlace} size="sm">
            Back to the first agents
          </Anchor>
        </Text>
      )}
      <ul className={classes.grid} ref={grid}>
        {shown.map((agent) => (
          <li key={agent.id}>
            <AgentCard agent={agent} />
          </li>
        ))}
      </ul>
      <div className={classes.more}>
        <Text role="status" size="sm" c="var(--muted-text)">
          {areAllShown
            ? describeAll(agents.length, total)
            : `Showing ${figure.format(shown.length)} of ${figure.format(total)} agents`}
        </Text>
        {hasFailed && (
          <div role="alert" className={classes.failure}>
            <Text size="sm">More agents could not be loaded.</Text>
            <Button variant="default" size="xs" onClick={() => void showMore()}>
              Try again
            </Button>
          </div>
        )}
        {/* Without scripts it leads to a page that goes on where this one ends. */}
        <form action="/#browse" onSubmit={submit}>
          {category && <input type="hidden" name="category" value={category} />}
          {text && <input type="hidden" name="q" value={text} />}
          <input type="hidden" name="after" value={(areAllShown ? after : shown.at(-1)?.id) ?? ''} />
          {/* Not disabled while it is busy: that would take the focus away. */}
          <Button
            type="submit"
            variant="default"
            size="md"
            aria-busy={isBusy}
            aria-disabled={isBusy}
            leftSection={isBusy && <Loader size="xs" />}
          >
            Load More Agents
          </Button>
        </form>
      </div>
    </>
  );
}

function describeAll(count: number, total: number): string {
  // A list that begins further down.
  if (count < total) return `The last ${figure.format(count)} of ${figure.format(total)} agents are shown.`;
  return count === 1 ? 'The only agent is shown.' : `All ${figure.format(count)} agents are shown.`;
}
