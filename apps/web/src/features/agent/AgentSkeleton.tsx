import { Skeleton, VisuallyHidden } from '@mantine/core';
import classes from './AgentDetails.module.css';

/** The placeholder of an agent's page while it loads, with the shape of the page. */
export function AgentSkeleton() {
  return (
    <div data-testid="agent-skeleton">
      <VisuallyHidden role="status">Loading agent…</VisuallyHidden>
      <div className={classes.layout} aria-hidden aria-busy>
        <div className={classes.head}>
          <Skeleton height={64} width={64} radius="lg" className={classes.mark} />
          <div className={classes.heading}>
            <Skeleton height={34} width="50%" mb="xs" />
            <Skeleton height={16} width="70%" />
          </div>
        </div>
        <div className={classes.content}>
          <Skeleton height={64} radius="lg" />
          {[3, 1].map((lines, section) => (
            <div key={section} className={classes.section}>
              <Skeleton height={16} width={120} mb="sm" />
              {Array.from({ length: lines }, (_, line) => (
                <Skeleton key={line} height={18} maw="44rem" mb="xs" />
              ))}
            </div>
          ))}
        </div>
        <div className={classes.rail}>
          <div className={classes.panel}>
            <Skeleton height={48} />
            <Skeleton height={48} />
            <Skeleton height={36} />
          </div>
        </div>
      </div>
    </div>
  );
}
