import { toComparePath } from '@agent-registry/contracts';
import { Link } from 'react-router-dom';
import { toResults } from '../../navigation/location-state.ts';
import { useKeptAgents } from './kept-agents.ts';

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
