import { toAgentMark, type Agent } from '@agent-registry/contracts';
import classes from './AgentMark.module.css';
import { useCategory } from './use-category.ts';

type AgentMarkProps = {
  agent: Pick<Agent, 'id' | 'name' | 'category'>;
  /** In pixels. */
  size?: number;
};

/** The face of an agent: its initials on a gradient of its category's hue. */
export function AgentMark({ agent, size = 44 }: AgentMarkProps) {
  const { initials, colours } = toAgentMark(agent, useCategory(agent.category));
  const style = { '--mark-size': `${size / 16}rem`, backgroundImage: `linear-gradient(135deg, ${colours.join(', ')})` };
  // Browsers know newer emoji sequences than the server, or older ones.
  return (
    <span className={classes.mark} style={style} aria-hidden suppressHydrationWarning>
      {initials}
    </span>
  );
}
