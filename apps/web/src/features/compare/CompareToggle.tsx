import { COMPARE_PARAMETER, MAX_COMPARED, type ListedAgent } from '@agent-registry/contracts';
import { useToast } from '../../lib/toast-context.ts';
import { COMPARE_FORM_ID } from './CompareTray.tsx';
import classes from './CompareToggle.module.css';
import { keepAgents, useKeptAgents } from './kept-agents.ts';

type CompareToggleProps = {
  agent: Pick<ListedAgent, 'id' | 'name' | 'category'>;
  /** Whether there is room for a word. */
  isWide?: boolean;
};

/** The control that chooses the agent of a card or a row to compare; without scripts a checkbox of the form of the tray. */
export function CompareToggle({ agent: { id, name, category }, isWide = false }: CompareToggleProps) {
  const kept = useKeptAgents();
  const showToast = useToast();
  const others = kept.filter((agent) => agent.id !== id);
  const isKept = others.length < kept.length;
  const toggle = () => {
    if (others.length === MAX_COMPARED) {
      showToast({ title: 'Four at most', message: 'Remove an agent to compare this one.', variant: 'default' });
    } else if (!keepAgents(isKept ? others : [...kept, { id, name, category }])) {
      showToast({ title: 'Error', message: 'Your browser does not keep your choice.', variant: 'destructive' });
    }
  };
  const label = `Compare ${name}`;
  return (
    <>
      <button
        type="button"
        className={`needs-scripts ${classes.toggle} ${isWide ? 'pill' : ''}`}
        aria-pressed={isKept}
        aria-label={label}
        data-tooltip={isWide ? undefined : 'Compare'}
        onClick={toggle}
      >
        {isWide && 'Compare'}
      </button>
      <label className={`without-scripts ${classes.choice}`}>
        <input type="checkbox" name={COMPARE_PARAMETER} value={id} form={COMPARE_FORM_ID} aria-label={label} />
        {isWide && ' Compare'}
      </label>
    </>
  );
}
