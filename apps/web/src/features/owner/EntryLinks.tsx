import { toManagePath, type Agent } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useOwnAgent } from '../../components/owner-keys.ts';
import classes from './EntryLinks.module.css';

/** Leads the owner of an agent to the form that edits it. */
export function EditButton({ id }: { id: string }) {
  return (
    <Button component={Link} to={toManagePath(id, 'edit')} rel="nofollow" variant="default" size="md">
      Edit
    </Button>
  );
}

/** Leads the owner of an agent to the forms that withdraw and claim it, and everybody to the form for reports. */
export function EntryLinks({ agent: { id } }: { agent: Agent }) {
  const isOwn = useOwnAgent(id) !== undefined;
  return (
    <div className={classes.root}>
      <nav aria-label="Owner" className={classes.owner}>
        {isOwn ? (
          <Button component={Link} to={toManagePath(id, 'withdraw')} rel="nofollow" variant="default" size="md">
            Withdraw
          </Button>
        ) : (
          <Link to={toManagePath(id, 'key')} rel="nofollow" className={classes.link}>
            Is this your agent?
          </Link>
        )}
      </nav>
      <Link to={toManagePath(id, 'report')} rel="nofollow" className={classes.link}>
        Report a problem
      </Link>
    </div>
  );
}
