import { COMPARE_PARAMETER } from '@agent-registry/contracts';
import { useLocation } from 'react-router-dom';
import { LazyBoundary } from '../../components/LazyBoundary.tsx';
import classes from './CompareTray.module.css';
import { useKeptAgents } from './kept-agents.ts';
import { lazyTrayPanel } from './lazy-tray-panel.ts';

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
        <LazyBoundary load={lazyTrayPanel.load} fallback={null} failure="Your list could not be loaded.">
          <lazyTrayPanel.Component agents={kept} />
        </LazyBoundary>
      )}
    </>
  );
}
