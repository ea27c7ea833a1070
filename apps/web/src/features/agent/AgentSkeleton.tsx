import { Group, Skeleton, VisuallyHidden } from '@mantine/core';
import classes from './AgentDetails.module.css';

/** The placeholder of an agent's page while it loads. */
export function AgentSkeleton() {
  return (
    <div data-testid="agent-skeleton">
      <VisuallyHidden role="status">Loading agent…</VisuallyHidden>
      <div className={classes.layout} aria-hidden aria-busy>
        <div className={classes.panel}>
          <Group gap="md" wrap="nowrap">
            <Skeleton height={56} width={56} radius="md" />
            <div className={classes.heading}>
              <Skeleton height={28} width="60%" mb={12} />
              <Skeleton height={18} width="40%" />
            </div>
          </Group>
          <Skeleton height={16} mt={40} mb={10} />
          <Skeleton height={16} mb={10} />
          <Skeleton height={16} width="70%" />
        </div>
        <div className={classes.panel}>
          <Skeleton height={16} mb={16} />
          <Skeleton height={16} mb={16} />
          <Skeleton height={16} mb={24} />
          <Skeleton height={36} />
        </div>
      </div>
    </div>
  );
}
