import { MARK_SHADE, MARK_VIEW_BOX, toAgentMark, type Agent, type MarkArea } from '@agent-registry/contracts';
import classes from './AgentMark.module.css';
import { useCategory } from '../lib/site.ts';

type AgentMarkProps = {
  agent: Pick<Agent, 'id' | 'name' | 'category'>;
  size?: 'sm' | 'md' | 'lg';
  className?: string | undefined;
};

export function Pattern({ areas }: { areas: readonly MarkArea[] }) {
  return (
    <svg viewBox={MARK_VIEW_BOX}>
      {areas.map(({ colour, path }) => (
        <path key={colour} fill={colour} d={path} />
      ))}
    </svg>
  );
}

export function AgentMark({ agent, size = 'md', className = '' }: AgentMarkProps) {
  const { initials, pattern } = toAgentMark(agent, useCategory(agent.category));
  // Browsers know newer emoji sequences than the server, or older ones.
  return (
    <span className={`${classes.mark} ${className}`} data-size={size} aria-hidden suppressHydrationWarning>
      <Pattern areas={[...pattern, MARK_SHADE]} />
      <span suppressHydrationWarning>{initials}</span>
    </span>
  );
}
