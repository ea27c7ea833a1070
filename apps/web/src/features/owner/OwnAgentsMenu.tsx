import { PopoverDialog } from '../../components/PopoverDialog.tsx';
import { useOwnAgents } from '../../components/owner-keys.ts';
import { lazyOwnAgents } from './lazy-components.ts';
import classes from './OwnAgents.module.css';

const POPOVER_ID = 'own-agents';

/** The button of the header that lists the agents whose keys this browser keeps, if there are any. */
export function OwnAgentsMenu() {
  const count = useOwnAgents().length;
  if (count === 0) return null;
  return (
    <>
      <button type="button" popoverTarget={POPOVER_ID} className={`pill ${classes.button}`}>
        Your agents <b>{count}</b>
      </button>
      <PopoverDialog id={POPOVER_ID} label="Your agents" className={classes.popover}>
        <lazyOwnAgents.Component
          onChoose={() => document.getElementById(POPOVER_ID)?.hidePopover()}
          failure="The list could not be loaded."
        />
      </PopoverDialog>
    </>
  );
}
