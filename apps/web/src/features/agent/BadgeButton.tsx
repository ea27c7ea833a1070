import { Button, CloseButton } from '@mantine/core';
import { useState } from 'react';
import { LazyBoundary } from '../../components/LazyBoundary.tsx';
import classes from './BadgeButton.module.css';
import { lazyBadgeSnippets } from './lazy-badge-snippets.ts';

const DIALOG_ID = 'badge';

/** A button that shows the badge of an agent and its code in a dialog. */
export function BadgeButton({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button className="needs-scripts" variant="default" popoverTarget={DIALOG_ID}>
        Badge
      </Button>
      <div
        id={DIALOG_ID}
        popover="auto"
        role="dialog"
        aria-label="Badge"
        className={classes.dialog}
        onToggle={(event) => setIsOpen(event.newState === 'open')}
      >
        <div>
          <b>Show this entry on your site</b>
          <CloseButton popoverTarget={DIALOG_ID} popoverTargetAction="hide" aria-label="Close" />
        </div>
        {isOpen && (
          <LazyBoundary load={lazyBadgeSnippets.load} fallback={null} failure="The badge could not be loaded.">
            <lazyBadgeSnippets.Component id={id} />
          </LazyBoundary>
        )}
      </div>
    </>
  );
}
