import classes from './Keys.module.css';

/** The id of the list of keyboard shortcuts, for the buttons that open it. */
export const KEYS_DIALOG_ID = 'keys';

export const HELP_LABEL = 'Help with searching and keyboard shortcuts';

/** A button that shows what can be typed into the search box besides words, and the keyboard shortcuts. */
export function KeysHint() {
  return (
    <button
      type="button"
      popoverTarget={KEYS_DIALOG_ID}
      className={`needs-scripts ${classes.hint}`}
      aria-label={HELP_LABEL}
      data-tooltip={HELP_LABEL}
    >
      ?
    </button>
  );
}
