import { hasChosen, KEPT_PATH } from '@agent-registry/contracts';
import { Link, useLocation } from 'react-router-dom';
import { COMPARE_FORM_ID } from '../../components/KeepToggle.tsx';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import { toResults } from '../../navigation/location-state.ts';
import classes from './CompareTray.module.css';
import { useComparedAgents, useKeptAgents } from '../../components/kept-agents.ts';

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

/** The link of the header to the kept agents, if there are any. */
export function KeptLink({ className }: { className: string | undefined }) {
  const kept = useKeptAgents();
  if (kept.length === 0) return null;
  return (
    <Link {...toResults} to={KEPT_PATH} className={`pill ${className}`}>
      Your list <b>{kept.length}</b>
    </Link>
  );
}
