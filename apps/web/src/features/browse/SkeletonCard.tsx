import { Skeleton } from '@mantine/core';
import classes from '../../components/AgentCard.module.css';

/** The placeholder of a card while agents load, with the rows of a card, as high as most cards. */
export function SkeletonCard() {
  return (
    <div className={`${classes.card} ${classes.skeleton}`} data-testid="skeleton-card" aria-hidden>
      <div className={classes.head}>
        <Skeleton height={44} width={44} radius="lg" />
        <Skeleton height={44} width="60%" />
      </div>
      <Skeleton height={61} />
      <Skeleton height={24} width="40%" />
      <Skeleton height={20} width="60%" />
      <div className={classes.foot}>
        <Skeleton height={22} />
      </div>
    </div>
  );
}
