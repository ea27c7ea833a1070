import { MARK_SHADE, MARK_VIEW_BOX, toAgentMark, type Agent } from '@agent-registry/contracts';
import type { CSSProperties } from 'react';
import classes from './AgentMark.module.css';
import { useCategory } from '../lib/site.ts';

type AgentMarkProps = {
  agent: Pick<Agent, 'id' | 'name' | 'category'>;
  /** In pixels. */
  size?: number;
  /** The pattern without the initials. */
  isPlain?: boolean;
  className?: string | undefined;
};

/** The face of an agent: its initials on a pattern in its category's hue. */
export function AgentMark({ agent, size = 44, isPlain = false, className = '' }: AgentMarkProps) {
  const { initials, pattern } = toAgentMark(agent, useCategory(agent.category));
  const areas = isPlain ? pattern : [...pattern, MARK_SHADE];
  // Browsers know newer emoji sequences than the server, or older ones.
  return (
    <span
      className={`${classes.mark} ${className}`}
      style={{ '--mark-size': `${size / 16}rem` } as CSSProperties}
      aria-hidden
      suppressHydrationWarning
    >
      <svg viewBox={MARK_VIEW_BOX}>
        {areas.map(({ colour, path }) => (
          <path key={colour} fill={colour} d={path} />
        ))}
      </svg>
      {!isPlain && <span suppressHydrationWarning>{initials}</span>}
    </span>
  );
}
