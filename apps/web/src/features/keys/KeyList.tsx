import { CloseButton } from '@mantine/core';
import { KEYS_DIALOG_ID } from './keys-dialog-id.ts';
import classes from './Keys.module.css';
import { SearchOperators } from './SearchOperators.tsx';

const keys = [
  ['/', 'Go to the search'],
  ['?', 'Show this help'],
  ['Esc', 'Clear the search, close a menu'],
  ['F8', 'Go to the notifications'],
] as const;

type KeyListProps = {
  /** Whether those of a single character are on. */
  isOn: boolean;
  onToggle: () => void;
};

/** The operators of a search, the keyboard shortcuts, and the switch of those of a single character. */
export function KeyList({ isOn, onToggle }: KeyListProps) {
  return (
    <>
      <div className="dialog-head">
        <b>Help with searching</b>
        <CloseButton popoverTarget={KEYS_DIALOG_ID} popoverTargetAction="hide" aria-label="Close" />
      </div>
      <SearchOperators />
      <b>Keyboard shortcuts</b>
      <dl className={classes.keys}>
        {keys.map(([key, effect]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <label className={classes.choice}>
        <input type="checkbox" checked={isOn} onChange={onToggle} />
        The keys / and ? are on
      </label>
    </>
  );
}
