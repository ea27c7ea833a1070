import { KEPT_PATH, MAX_COMPARED, toComparePath } from '@agent-registry/contracts';
import { useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Arrow } from '../../lib/Arrow.tsx';
import { AgentMark } from '../../components/AgentMark.tsx';
import type { LocationState } from '../../navigation/location-state.ts';
import { keepAgents, useKeptAgents, type KeptAgent } from '../../components/kept-agents.ts';
import classes from './TrayPanel.module.css';

const MIN_COMPARED = 2;

export function TrayPanel({ agents }: { agents: readonly KeptAgent[] }) {
  const { pathname, search } = useLocation();
  const panel = useRef<HTMLElement>(null);
  const state: LocationState = { toResults: true, backTo: { path: pathname + search, label: 'Back' } };
  const kept = useKeptAgents();
  const remove = (id: string) => {
    const others = kept.filter((agent) => agent.id !== id);
    // The pressed button is about to be removed, and with the last agent the panel.
    const next = others.length > 0 ? panel.current : document.getElementById('main');
    next?.focus({ preventScroll: true });
    keepAgents(others);
  };
  // The panel leaves, the browse section stays.
  const focusBrowse = () => document.getElementById('browse')?.focus({ preventScroll: true });
  return (
    <section ref={panel} tabIndex={-1} aria-label="Your list" className={`ink ${classes.tray}`}>
      <ul className={classes.slots} aria-label="Agents to compare">
        {agents.map((agent) => (
          <li key={agent.id}>
            <button
              type="button"
              className={classes.slot}
              data-tooltip={`Remove ${agent.name}`}
              onClick={() => remove(agent.id)}
            >
              <AgentMark agent={agent} size="sm" />
              {/* No label, which would have to contain the initials that are seen. */}
              <span className="visually-hidden">Remove {agent.name} from your list</span>
            </button>
          </li>
        ))}
        {Array.from({ length: MAX_COMPARED - agents.length }, (_, index) => (
          <li key={index} className={classes.empty} aria-hidden />
        ))}
      </ul>
      <span role="status" className={classes.count}>
        {agents.length} of {MAX_COMPARED} agents
      </span>
      <Link to={KEPT_PATH} state={state} className="pill" onClick={focusBrowse}>
        Your list
      </Link>
      {agents.length >= MIN_COMPARED && (
        <Link
          to={toComparePath(agents.map(({ id }) => id))}
          state={state}
          className={classes.compare}
          onClick={focusBrowse}
        >
          Compare <Arrow />
        </Link>
      )}
    </section>
  );
}
