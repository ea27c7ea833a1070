import { toManagePath } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';

/** Leads the owner of an agent to the form that edits it. */
export function EditButton({ id }: { id: string }) {
  return (
    <Button component={Link} to={toManagePath(id, 'edit')} rel="nofollow" size="md">
      Edit
    </Button>
  );
}
