import { KEPT_PATH } from '@agent-registry/contracts';
import { Link } from 'react-router-dom';
import { toResults } from '../navigation/location-state.ts';
import { useKeptAgents } from './kept-agents.ts';

export function KeptLink(props: { className: string | undefined; onClick?: () => void }) {
  const kept = useKeptAgents();
  if (kept.length === 0) return null;
  return (
    <Link {...toResults} {...props} to={KEPT_PATH}>
      Your list <b>{kept.length}</b>
    </Link>
  );
}
