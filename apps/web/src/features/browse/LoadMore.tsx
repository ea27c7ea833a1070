import { Button, Loader, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { describeNetworkError, isOffline } from '../../api/request-errors.ts';
import { SLOW_REQUEST, useSlowRequest } from '../../api/use-slow-request.ts';
import { toBrowseFields, toFirstPage, type BrowseParams } from '../../navigation/browse-params.ts';
import classes from './Results.module.css';

type LoadMoreProps = {
  params: BrowseParams;
  /** The id of the last agent shown: without scripts, the button leads to a page that starts after it. */
  cursor: string | undefined;
  isLoading: boolean;
  /** Why the last request for more agents failed, or null. */
  error: unknown;
  onLoadMore: () => void;
};

/** The Load More Agents button, with a message and a Retry button if loading fails. */
export function LoadMore({ params, cursor, isLoading, error, onLoadMore }: LoadMoreProps) {
  const isSlow = useSlowRequest(isLoading);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    onLoadMore();
  };
  return (
    <div className={classes.more}>
      {(error !== null || isSlow) && (
        <div role="alert" className={classes.failure}>
          <Text size="sm">{describe(error, isLoading, isSlow)}</Text>
          {!isSlow && (
            <Button variant="default" size="xs" onClick={onLoadMore}>
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
          aria-busy={isLoading}
          aria-disabled={isLoading}
          leftSection={isLoading && <Loader size="xs" />}
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
