import { HELP_LABEL, KEYS_DIALOG_ID } from './keys-dialog-id.ts';
import classes from './Keys.module.css';

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
