import { Group, Skeleton } from '@mantine/core';
import classes from '../../components/AgentCard.module.css';

/** The placeholder of a card while agents load. */
export function SkeletonCard() {
  return (
    <div className={classes.card} data-testid="skeleton-card" aria-hidden>
      <Group gap="sm" wrap="nowrap">
        <Skeleton height={44} width={44} radius="md" />
        <div className={classes.heading}>
          <Skeleton height={16} width="70%" mb={8} />
          <Skeleton height={16} width="45%" />
        </div>
      </Group>
      <div>
        <Skeleton height={12} mb={8} />
        <Skeleton height={12} mb={8} />
        <Skeleton height={12} width="60%" />
      </div>
      <Group gap={6}>
        <Skeleton height={20} width={84} />
        <Skeleton height={20} width={64} />
      </Group>
      <Skeleton height={16} />
    </div>
  );
}
