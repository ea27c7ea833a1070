import { COMPARE_PARAMETER, toComparePath } from '@agent-registry/contracts';
import { Link, useLocation } from 'react-router-dom';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import { toResults } from '../../navigation/location-state.ts';
import classes from './CompareTray.module.css';
import { useKeptAgents } from './kept-agents.ts';

export const lazyTrayPanel = createLazyComponent(async () => (await import('./TrayPanel.tsx')).TrayPanel);

/** The id of the form that compares the chosen agents without scripts. */
export const COMPARE_FORM_ID = 'compare';

/** The tray at the bottom of every page but the comparison: the chosen agents; without scripts a form for them. */
export function CompareTray() {
  const { search } = useLocation();
  const kept = useKeptAgents();
  return (
    <>
      <form id={COMPARE_FORM_ID} action="/#browse" className={classes.form}>
        <button className="pill">Compare</button>
      </form>
      {kept.length > 0 && !new URLSearchParams(search).has(COMPARE_PARAMETER) && (
        <lazyTrayPanel.Component agents={kept} failure="Your list could not be loaded." />
      )}
    </>
  );
}

/** The link of the header that compares the chosen agents, if there are any. */
export function KeptLink({ className }: { className: string | undefined }) {
  const kept = useKeptAgents();
  if (kept.length === 0) return null;
  return (
    <Link {...toResults} to={toComparePath(kept.map(({ id }) => id))} className={`pill ${className}`}>
      Your list <b>{kept.length}</b>
    </Link>
  );
}
