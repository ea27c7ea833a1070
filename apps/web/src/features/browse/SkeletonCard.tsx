import { Skeleton } from '@mantine/core';
import classes from '../../components/AgentCard.module.css';

/** The heights of head, description, facts, origin and foot of most cards. */
const HEIGHTS = [44, 61, 24, 20, 33];

/** The placeholder of a card while agents load, as high as most cards. */
export function SkeletonCard() {
  return (
    <div className={`${classes.card} ${classes.skeleton}`} data-testid="skeleton-card" aria-hidden>
      {HEIGHTS.map((height) => (
        <Skeleton key={height} height={height} />
      ))}
    </div>
  );
}
