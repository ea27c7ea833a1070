import { COMPARE_PARAMETER, type ListedAgent } from '@agent-registry/contracts';
import { useToast } from '../lib/toast-context.ts';
import bookmark from '../icons/bookmark.svg?raw';
import { Icon } from './Icon.tsx';
import classes from './KeepToggle.module.css';
import { keepAgents, MAX_KEPT, toKept, useKeptAgents } from './kept-agents.ts';

export const COMPARE_FORM_ID = 'compare';

/** Keeps an agent; without scripts it is a checkbox in the form of the tray, which chooses the agent to compare. */
export function KeepToggle({ agent }: { agent: ListedAgent }) {
  const { id, name } = agent;
  const kept = useKeptAgents();
  const showToast = useToast();
  const others = kept.filter((other) => other.id !== id);
  const isKept = others.length < kept.length;
  const toggle = () => {
    if (others.length === MAX_KEPT) {
      showToast({ title: 'Your list is full', message: 'Remove an agent from it to keep this one.' });
    } else if (!keepAgents(isKept ? others : [...kept, toKept(agent)])) {
      showToast({ title: 'Error', message: 'Your browser does not keep your choice.', variant: 'destructive' });
    }
  };
  return (
    <>
      <button
        type="button"
        className={`needs-scripts ${classes.toggle}`}
        aria-pressed={isKept}
        aria-label={`Keep ${name}`}
        data-tooltip="Keep"
        onClick={toggle}
      >
        <Icon svg={bookmark} size={18} />
      </button>
      <label className={`without-scripts ${classes.choice}`}>
        <input
          type="checkbox"
          name={COMPARE_PARAMETER}
          value={id}
          form={COMPARE_FORM_ID}
          aria-label={`Compare ${name}`}
        />
      </label>
    </>
  );
}
