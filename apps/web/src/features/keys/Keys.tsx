import { useEffect, useState } from 'react';
import classes from './Keys.module.css';
import { isComposing } from '../../lib/is-composing.ts';
import { useStored, writeStored } from '../../lib/storage.ts';
import { HEADER_SEARCH_ID, SEARCH_BOX_ID } from '../../components/SearchField.tsx';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import { PopoverDialog } from '../../components/PopoverDialog.tsx';

const lazyKeyList = createLazyComponent(async () => (await import('./KeyList.tsx')).KeyList);

const STORAGE_KEY = 'agent-registry.shortcuts';
const DIALOG_ID = 'keys';
const HELP_LABEL = 'Help with searching and keyboard shortcuts';

/** The keyboard shortcuts and the help. Single characters can be turned off: speech input presses them (WCAG 2.1.4). */
export function Keys() {
  const stored = useStored(STORAGE_KEY, parseBoolean);
  // Without storage, the choice lasts as long as the page.
  const [chosen, setChosen] = useState<boolean>();
  const isOn = chosen ?? stored ?? true;

  useEffect(() => {
    if (!isOn) return;
    const handleKey = (event: KeyboardEvent) => {
      if (isComposing(event) || isTyping(event.target)) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === '?') document.getElementById(DIALOG_ID)?.togglePopover();
      if (event.key !== '/' || !focusSearch()) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [isOn]);

  const toggle = () => {
    setChosen(!isOn);
    writeStored(STORAGE_KEY, !isOn);
  };
  return (
    <PopoverDialog id={DIALOG_ID} label={HELP_LABEL} title="Help with searching" className="dialog">
      <lazyKeyList.Component isOn={isOn} onToggle={toggle} failure="The help could not be loaded." />
    </PopoverDialog>
  );
}

/** A button that shows what can be typed into the search box besides words, and the keyboard shortcuts. */
export function KeysHint() {
  return (
    <button
      type="button"
      popoverTarget={DIALOG_ID}
      className={`needs-scripts ${classes.hint}`}
      aria-label={HELP_LABEL}
      data-tooltip={HELP_LABEL}
    >
      ?
    </button>
  );
}

/** Moves the focus to the search field that is on the screen. @returns whether there is one */
function focusSearch(): boolean {
  const fields = [HEADER_SEARCH_ID, SEARCH_BOX_ID].map((id) => document.getElementById(id));
  const field = fields.find((candidate) => candidate?.checkVisibility({ visibilityProperty: true }));
  if (!(field instanceof HTMLInputElement)) return false;
  field.select();
  field.focus();
  return true;
}

function parseBoolean(json: unknown): boolean | undefined {
  return typeof json === 'boolean' ? json : undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]') !== null
  );
}
