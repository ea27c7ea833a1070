import { useAgentList } from '../../api/use-agent-list.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { AgentMark } from '../../components/AgentMark.tsx';
import classes from './Hero.module.css';

/** How many marks there are, in two rows. */
export const NEWEST_MARKS = 14;

/** The marks of the newest agents, as decoration: nothing is requested for them. */
export function NewestMarks() {
  const { agents = [] } = useAgentList({ text: '' }, { enabled: false });
  // The document of the page does not carry decoration.
  const isHydrated = useHydrated();
  return (
    <div className={classes.marks} aria-hidden>
      {isHydrated && agents.slice(0, NEWEST_MARKS).map((agent) => <AgentMark key={agent.id} agent={agent} isPlain />)}
    </div>
  );
}
