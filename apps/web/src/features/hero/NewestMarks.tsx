import { useAgentList } from '../../api/use-agent-list.ts';
import { AgentMark } from '../../components/AgentMark.tsx';
import classes from './Hero.module.css';

/** How many marks there are, in two rows. */
export const NEWEST_MARKS = 14;

/** The marks of the newest agents, as decoration: nothing is requested for them. */
export function NewestMarks() {
  const { agents = [] } = useAgentList({ text: '' }, { enabled: false });
  return (
    <div className={classes.marks} aria-hidden>
      {agents.slice(0, NEWEST_MARKS).map((agent) => (
        <AgentMark key={agent.id} agent={agent} isPlain />
      ))}
    </div>
  );
}
