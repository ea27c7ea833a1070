import { Skeleton } from '@mantine/core';
import classes from '../../components/AgentCard.module.css';
import facts from '../../components/CardFacts.module.css';

/** The placeholder of a card while agents load, with the rows of a card, as high as most cards. */
export function SkeletonCard() {
  return (
    <div className={`${classes.card} ${classes.skeleton}`} data-testid="skeleton-card" aria-hidden>
      <div className={classes.head}>
        <Skeleton height={44} width={44} radius="lg" />
        <div className={classes.heading}>
          <Skeleton height={16} width="55%" mt={3} mb={8} />
          <Skeleton height={14} width="70%" />
        </div>
      </div>
      <div>
        <Skeleton height={12} mt={4} mb={8} />
        <Skeleton height={12} mb={8} />
        <Skeleton height={12} width="60%" mb={5} />
      </div>
      <div className={facts.facts}>
        <Skeleton height={21} width={104} />
        <Skeleton height={21} width={38} ml="auto" />
      </div>
      <Skeleton height={14} width="50%" my={3} />
      <div className={classes.foot}>
        <Skeleton height={14} width={110} my={4} />
        <Skeleton height={16} width={96} ml="auto" />
      </div>
    </div>
  );
}
