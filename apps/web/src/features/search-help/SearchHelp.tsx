import { useState } from 'react';
import { LazyBoundary } from '../../components/LazyBoundary.tsx';
import classes from './SearchHelp.module.css';
import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The table of search operators. */
const lazySearchOperators = createLazyComponent(async () => (await import('./SearchOperators.tsx')).SearchOperators);

const DIALOG_ID = 'search-help';

/** A button that shows what can be typed into the search box besides words. */
export function SearchHelp() {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <button
        type="button"
        popoverTarget={DIALOG_ID}
        className={`needs-scripts ${classes.button}`}
        aria-label="Help with searching"
        data-tooltip="Help with searching"
      >
        ?
      </button>
      <div
        id={DIALOG_ID}
        popover="auto"
        role="dialog"
        aria-label="Help with searching"
        className={classes.dialog}
        onToggle={() => setWasOpened(true)}
      >
        {wasOpened && (
          <LazyBoundary load={lazySearchOperators.load} fallback={null} failure="The help could not be loaded.">
            <lazySearchOperators.Component dialogId={DIALOG_ID} />
          </LazyBoundary>
        )}
      </div>
    </>
  );
}
