import { CARDS_PER_PAGE } from '@agent-registry/contracts';
import { useAgentList } from '../../api/use-agent-list.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { AgentMark } from '../../components/AgentMark.tsx';
import classes from './Hero.module.css';

/** The marks of the newest agents, those of the first cards, as decoration in two rows: nothing is requested for them. */
export function NewestMarks() {
  const { agents = [] } = useAgentList({ text: '' }, { enabled: false });
  // The document of the page does not carry decoration.
  const isHydrated = useHydrated();
  return (
    <div className={classes.marks} aria-hidden>
      {isHydrated && agents.slice(0, CARDS_PER_PAGE).map((agent) => <AgentMark key={agent.id} agent={agent} isPlain />)}
    </div>
  );
}
