import { KEYS_DIALOG_ID } from './keys-dialog-id.ts';
import classes from './Keys.module.css';

/** The key that leads to the search; a press shows all keys. */
export function KeysHint() {
  return (
    <button
      type="button"
      popoverTarget={KEYS_DIALOG_ID}
      className={`needs-scripts ${classes.hint}`}
      aria-label="Keyboard shortcuts"
    >
      <kbd>/</kbd>
    </button>
  );
}
