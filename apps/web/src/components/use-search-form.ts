import { MAX_SEARCH_LENGTH, PASTE_PARAMETER, toBrowseFields } from '@agent-registry/contracts';
import { useEffect, useRef, useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { isComposing } from '../lib/is-composing.ts';
import { useChosenList } from '../navigation/chosen-list.tsx';

/** Where a text is posted that is too long for an address. */
export const PASTE_PATH = `/?${PASTE_PARAMETER}`;

/** The text of a search field, which is that of the URL whenever the list changes, and what submits and clears it. */
export function useSearchForm(onSearch?: () => void) {
  const { chosen, search } = useChosenList();
  const { text } = chosen;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  const list = toBrowseFields(chosen).join();
  const [previousList, setPreviousList] = useState(list);
  if (list !== previousList) {
    setPreviousList(list);
    setTyped(text);
  }

  // Text typed before hydration.
  useEffect(() => {
    const box = input.current;
    if (box && box.value !== box.defaultValue) setTyped(box.value);
  }, []);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    if (Array.from(typed.trim()).length > MAX_SEARCH_LENGTH) {
      // Too long for an address: the registry leads to a search for its most telling words.
      event.currentTarget.method = 'post';
      event.currentTarget.action = PASTE_PATH;
      return;
    }
    event.preventDefault();
    hideKeyboard(input.current);
    search(typed);
    onSearch?.();
  };
  const clear = () => {
    setTyped('');
    input.current?.focus({ preventScroll: true });
    if (text) search('');
  };
  const clearOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || typed === '' || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    event.stopPropagation();
    clear();
  };
  /** Ends typing after the choice of a suggestion. */
  const end = () => {
    hideKeyboard(input.current);
    setTyped(text);
    onSearch?.();
  };
  return { chosen, input, typed, setTyped, submit, clear, clearOnEscape, end };
}

/** The keyboard of a touch screen would cover the results. */
function hideKeyboard(field: HTMLInputElement | null): void {
  if (window.matchMedia('(pointer: coarse)').matches) field?.blur();
}
