import { KEPT_PATH } from '@agent-registry/contracts';
import { Link } from 'react-router-dom';
import { toResults } from '../navigation/location-state.ts';
import { useKeptAgents } from './kept-agents.ts';

type KeptLinkProps = {
  className: string | undefined;
  onClick?: () => void;
};

/** The link to the kept agents, if there are any. */
export function KeptLink({ className, onClick }: KeptLinkProps) {
  const kept = useKeptAgents();
  if (kept.length === 0) return null;
  return (
    <Link {...toResults} to={KEPT_PATH} className={className} onClick={onClick}>
      Your list <b>{kept.length}</b>
    </Link>
  );
}
