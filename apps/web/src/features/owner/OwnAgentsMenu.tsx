import { useRef, useState } from 'react';
import { useOwnAgents } from '../../components/owner-keys.ts';
import { lazyOwnAgents } from './lazy-components.ts';
import classes from './OwnAgents.module.css';

const POPOVER_ID = 'own-agents';

/** The button of the header that lists the agents whose keys this browser keeps, if there are any. */
export function OwnAgentsMenu() {
  const count = useOwnAgents().length;
  const [isOpen, setIsOpen] = useState(false);
  const popover = useRef<HTMLDivElement>(null);
  if (count === 0) return null;
  return (
    <>
      <button type="button" popoverTarget={POPOVER_ID} className={`pill ${classes.button}`}>
        Your agents <b>{count}</b>
      </button>
      <div
        ref={popover}
        id={POPOVER_ID}
        popover="auto"
        role="dialog"
        aria-label="Your agents"
        className={classes.popover}
        onToggle={(event) => setIsOpen(event.newState === 'open')}
      >
        {isOpen && (
          <lazyOwnAgents.Component
            onChoose={() => popover.current?.hidePopover()}
            failure="The list could not be loaded."
          />
        )}
      </div>
    </>
  );
}
