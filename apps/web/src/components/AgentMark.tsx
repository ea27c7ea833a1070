import { MARK_SHADE, MARK_VIEW_BOX, toAgentMark, type Agent } from '@agent-registry/contracts';
import classes from './AgentMark.module.css';
import { useCategory } from '../lib/site.ts';

type AgentMarkProps = {
  agent: Pick<Agent, 'id' | 'name' | 'category'>;
  /** In a line of text, on a card, at the head of a page: see AgentMark.module.css. */
  size?: 'sm' | 'md' | 'lg';
  className?: string | undefined;
};

/** The face of an agent: its initials on a pattern in its category's hue. */
export function AgentMark({ agent, size = 'md', className = '' }: AgentMarkProps) {
  const { initials, pattern } = toAgentMark(agent, useCategory(agent.category));
  // Browsers know newer emoji sequences than the server, or older ones.
  return (
    <span className={`${classes.mark} ${className}`} data-size={size} aria-hidden suppressHydrationWarning>
      <svg viewBox={MARK_VIEW_BOX}>
        {[...pattern, MARK_SHADE].map(({ colour, path }) => (
          <path key={colour} fill={colour} d={path} />
        ))}
      </svg>
      <span suppressHydrationWarning>{initials}</span>
    </span>
  );
}
