import { hasChosen } from '@agent-registry/contracts';
import { useLocation } from 'react-router-dom';
import { COMPARE_FORM_ID } from '../../components/KeepToggle.tsx';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import classes from './CompareTray.module.css';
import { useComparedAgents } from '../../components/kept-agents.ts';

export const lazyTrayPanel = createLazyComponent(async () => (await import('./TrayPanel.tsx')).TrayPanel);

/** The tray at the bottom of every page but kept lists and comparisons: the compared agents; without scripts a form for them. */
export function CompareTray() {
  const { search } = useLocation();
  const compared = useComparedAgents();
  return (
    <>
      <form id={COMPARE_FORM_ID} action="/#browse" className={classes.form}>
        <button className="pill">Compare</button>
      </form>
      {compared.length > 0 && !hasChosen(new URLSearchParams(search)) && (
        <lazyTrayPanel.Component agents={compared} failure="Your list could not be loaded." />
      )}
    </>
  );
}
