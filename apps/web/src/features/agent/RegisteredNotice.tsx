import { IconCircleCheck } from '@tabler/icons-react';
import classes from './RegisteredNotice.module.css';

/** The hash of an agent's URL with which a registration without scripts ends. */
export const REGISTERED_HASH = '#registered';

/** Says that the agent was registered, if the hash of the URL says so; a cached page knows nothing else of its visitor. */
export function RegisteredNotice() {
  return (
    <p id={REGISTERED_HASH.slice(1)} tabIndex={-1} className={classes.notice}>
      <IconCircleCheck size={20} stroke={1.7} aria-hidden />
      Your agent has been registered successfully.
    </p>
  );
}
