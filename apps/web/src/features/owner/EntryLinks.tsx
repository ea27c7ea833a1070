import { toManagePath } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useOwnAgent } from '../../components/owner-keys.ts';
import classes from './EntryLinks.module.css';

/** Leads the owner of an agent to the form that edits it; nothing for others. */
export function EditButton({ id }: { id: string }) {
  if (useOwnAgent(id) === undefined) return null;
  return (
    <Button component={Link} to={toManagePath(id, 'edit')} rel="nofollow" variant="default" size="md">
      Edit
    </Button>
  );
}

/** Leads the owner of an agent to the form that withdraws it; nothing for others. */
export function WithdrawLink({ id }: { id: string }) {
  if (useOwnAgent(id) === undefined) return null;
  return (
    <nav aria-label="Owner" className={classes.owner}>
      <Button component={Link} to={toManagePath(id, 'withdraw')} rel="nofollow" variant="default" size="md">
        Withdraw
      </Button>
    </nav>
  );
}
