import { CARDS_PER_PAGE, toBrowseFields, toFirstPage, type BrowseParams } from '@agent-registry/contracts';
import { Button, Loader, Text } from '@mantine/core';
import { startTransition, useOptimistic, type SubmitEvent } from 'react';
import { describeNetworkError, isOffline } from '../../api/request-errors.ts';
import { SLOW_REQUEST, useSlowRequest } from '../../api/use-slow-request.ts';
import classes from './Results.module.css';

type LoadMoreProps = {
  params: BrowseParams;
  /** The id of the last agent shown: without scripts, the button leads to a page that starts after it. */
  cursor: string | undefined;
  /** How many cards are shown. */
  shown: number;
  /** Whether there are no more agents. */
  areAllShown: boolean;
  isLoading: boolean;
  /** Why the last request for more agents failed, or null. */
  error: unknown;
  /** Called with the number of cards to show. */
  onLoadMore: (count: number) => void;
};

/** The Load More Agents button, with a message and a Retry button if loading fails. */
export function LoadMore({ params, cursor, shown, areAllShown, isLoading, error, onLoadMore }: LoadMoreProps) {
  const isSlow = useSlowRequest(isLoading);
  // With the cards that are being rendered, so that each of several quick presses shows more.
  const [requested, setRequested] = useOptimistic(shown);
  const isBusy = isLoading || requested > shown;
  const loadMore = () => {
    const count = requested + CARDS_PER_PAGE;
    startTransition(() => setRequested(count));
    onLoadMore(count);
  };
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    loadMore();
  };
  return (
    <div className={classes.more}>
      {(error !== null || isSlow) && (
        <div role="alert" className={classes.failure}>
          <Text size="sm">{describe(error, isLoading, isSlow)}</Text>
          {!isSlow && (
            <Button variant="default" size="xs" onClick={loadMore}>
              Try again
            </Button>
          )}
        </div>
      )}
      <form action="/#results" onSubmit={handleSubmit}>
        {toBrowseFields({ ...toFirstPage(params), after: cursor }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {/* aria-disabled, because a disabled button loses the focus. */}
        <Button
          type="submit"
          variant="default"
          size="md"
          aria-busy={isBusy}
          aria-disabled={isLoading || areAllShown}
          leftSection={isBusy && <Loader size="xs" />}
        >
          Load More Agents
        </Button>
      </form>
    </div>
  );
}

function describe(error: unknown, isLoading: boolean, isSlow: boolean): string {
  if (isSlow) return SLOW_REQUEST;
  if (isLoading) return 'Loading agents…';
  return isOffline(error) ? describeNetworkError() : 'More agents could not be loaded.';
}
