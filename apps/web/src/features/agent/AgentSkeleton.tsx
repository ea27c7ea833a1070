import { Container, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import band from './AgentBand.module.css';
import classes from './AgentDetails.module.css';

export function AgentSkeleton({ crumb }: { crumb?: ReactNode }) {
  return (
    <div data-testid="agent-skeleton">
      <span role="status" className="visually-hidden">
        Loading agent…
      </span>
      <div className={`ink ${band.band}`}>
        <Container size="lg" className={band.inner}>
          {crumb}
          <Skeleton height={88} maw="28rem" mt="xs" />
          <Skeleton height={48} maw="40rem" mt="md" />
          <Skeleton height={44} maw="24rem" mt="lg" />
        </Container>
      </div>
      <Container size="lg" className={classes.page} aria-hidden aria-busy>
        <Skeleton height={320} />
        <Skeleton height={200} />
      </Container>
    </div>
  );
}
