import { COMPARE_PARAMETER, type ListedAgent } from '@agent-registry/contracts';
import { useToast } from '../lib/toast-context.ts';
import bookmark from '../icons/bookmark.svg?raw';
import { Icon } from './Icon.tsx';
import classes from './KeepToggle.module.css';
import { KeptLink } from './KeptLink.tsx';
import { keepAgents, MAX_KEPT, toKept, useKeptAgents } from './kept-agents.ts';

/** The id of the form that compares the chosen agents without scripts. */
export const COMPARE_FORM_ID = 'compare';

type KeepToggleProps = {
  agent: ListedAgent;
  /** Whether there is room for a word. */
  isWide?: boolean;
};

/** The control that keeps the agent of a card or a row; without scripts a checkbox that chooses it to compare, of the form of the tray. */
export function KeepToggle({ agent, isWide = false }: KeepToggleProps) {
  const { id, name } = agent;
  const kept = useKeptAgents();
  const showToast = useToast();
  const others = kept.filter((other) => other.id !== id);
  const isKept = others.length < kept.length;
  const toggle = () => {
    if (others.length === MAX_KEPT) {
      showToast({
        title: 'Your list is full',
        message: 'Remove an agent from it to keep this one.',
      });
    } else if (!keepAgents(isKept ? others : [...kept, toKept(agent)])) {
      showToast({ title: 'Error', message: 'Your browser does not keep your choice.', variant: 'destructive' });
    }
  };
  return (
    <>
      <button
        type="button"
        className={`needs-scripts ${classes.toggle} ${isWide ? 'pill' : ''}`}
        aria-pressed={isKept}
        aria-label={isWide ? undefined : `Keep ${name}`}
        data-tooltip={isWide ? undefined : 'Keep'}
        onClick={toggle}
      >
        <Icon svg={bookmark} size={18} />
        {isWide && 'Keep to compare'}
      </button>
      {isWide && isKept && <KeptLink className="pill" />}
      <label className={`without-scripts ${classes.choice}`}>
        <input
          type="checkbox"
          name={COMPARE_PARAMETER}
          value={id}
          form={COMPARE_FORM_ID}
          aria-label={`Compare ${name}`}
        />
        {isWide && ' Compare'}
      </label>
    </>
  );
}
