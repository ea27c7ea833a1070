import { useEffect } from 'react';
import { isComposing } from '../lib/is-composing.ts';
import { HEADER_SEARCH_ID, SEARCH_BOX_ID } from './SearchField.tsx';

/** The key / moves the focus to the search field that is on the screen, except while a visitor types. */
export function useSearchKey(): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isComposing(event) || isTyping(event.target) || !focusSearch()) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
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

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]') !== null
  );
}
