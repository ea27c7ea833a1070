import { toManagePath, type Agent } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useOwnAgent } from '../../components/owner-keys.ts';
import classes from './OwnerLinks.module.css';

/** Leads the owner of an agent to the forms that change it. */
export function OwnerLinks({ agent: { id } }: { agent: Agent }) {
  const isOwn = useOwnAgent(id) !== undefined;
  return (
    <nav aria-label="Owner" className={classes.root}>
      {isOwn ? (
        <>
          <Button component={Link} to={toManagePath(id, 'edit')} variant="default" size="md">
            Edit
          </Button>
          <Button component={Link} to={toManagePath(id, 'withdraw')} variant="default" size="md">
            Withdraw
          </Button>
        </>
      ) : (
        <Link to={toManagePath(id, 'edit')} className={classes.link}>
          Is this your agent?
        </Link>
      )}
    </nav>
  );
}
