import { Container, Skeleton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import band from './AgentBand.module.css';
import classes from './AgentDetails.module.css';

/** The placeholder of an agent's page while it loads, with the shape of the page. */
export function AgentSkeleton({ crumb }: { crumb?: ReactNode }) {
  return (
    <div data-testid="agent-skeleton">
      <VisuallyHidden role="status">Loading agent…</VisuallyHidden>
      <div className={`ink ${band.band}`}>
        <Container size="lg" className={band.inner}>
          {crumb}
          <div className={band.head} aria-hidden aria-busy>
            <Skeleton height={88} width={88} radius="xl" />
            <div className={band.heading}>
              <Skeleton height={42} width="50%" mb={8} />
              <Skeleton height={16} width="70%" />
            </div>
          </div>
          <Skeleton height={18} maw="40rem" mt="md" />
          <Skeleton height={18} maw="32rem" mt="xs" />
          <Skeleton height={44} width={280} mt="lg" />
        </Container>
      </div>
      <Container size="lg" className={classes.page} aria-hidden>
        <Skeleton height={320} />
        <Skeleton height={200} />
      </Container>
    </div>
  );
}
