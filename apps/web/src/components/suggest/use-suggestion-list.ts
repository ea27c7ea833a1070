import { useCombobox } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { isComposing } from '../../lib/is-composing.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { keepSearch, useSuggestions } from './use-suggestions.ts';

/** The suggestions below a search field, and which one is selected. It follows focus, text and keys of the field. */
export function useSuggestionList(field: HTMLInputElement, typed: string) {
  const { chosen } = useChosenList();
  const [isOpen, setIsOpen] = useState(
    // Text can be typed before this component is loaded.
    document.activeElement === field && (typed === '' || typed !== chosen.text),
  );
  const [isComposed, setIsComposed] = useState(false);
  const [selected, setSelected] = useState<{ option: string | null; rows: string }>();
  const groups = useSuggestions(isComposed ? null : typed);
  const rows = groups.flatMap((group) => group.rows);
  const isShown = isOpen && rows.length > 0;
  const store = useCombobox({ opened: isShown, onOpenedChange: setIsOpen });
  const shownRows = JSON.stringify(rows.map(({ label }) => label));
  // With other rows, nothing is selected.
  const option = isShown && selected?.rows === shownRows ? (selected.option ?? undefined) : undefined;

  const handleKey = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (option === undefined) store.resetSelectedOption();
      if (!isShown) setIsOpen(true);
      else
        setSelected({
          option: event.key === 'ArrowDown' ? store.selectNextOption() : store.selectPreviousOption(),
          rows: shownRows,
        });
    }
    if (event.key === 'Enter' && isShown && option !== undefined) {
      event.preventDefault();
      store.clickSelectedOption();
    }
    if (event.key === 'Escape' && isShown) {
      // Neither the text nor the menu around the field.
      event.preventDefault();
      event.stopPropagation();
      setIsOpen(false);
    }
  };
  const handleEvent = useEffectEvent((event: Event) => {
    switch (event.type) {
      case 'keydown':
        return handleKey(event as KeyboardEvent);
      case 'focus':
      case 'click':
        return setIsOpen(isOpen || field.value === '');
      case 'input':
        return setIsOpen(true);
      case 'submit':
        keepSearch(field.value);
        return setIsOpen(false);
      case 'blur':
        return setIsOpen(false);
      default:
        // An input method begins or ends a composition.
        return setIsComposed(event.type === 'compositionstart');
    }
  });
  // Another component renders the field.
  useEffect(() => {
    const listeners = new AbortController();
    const options = { signal: listeners.signal };
    const listen = (event: Event) => handleEvent(event);
    for (const type of ['keydown', 'focus', 'click', 'blur', 'compositionstart', 'compositionend']) {
      field.addEventListener(type, listen, options);
    }
    // After React has read the text: to render the field before would restore the earlier text.
    document.addEventListener('input', (event) => event.target === field && listen(event), options);
    field.form?.addEventListener('submit', listen, options);
    // It can have been left while this was rendered.
    if (document.activeElement !== field) listen(new Event('blur'));
    return () => listeners.abort();
  }, [field]);

  return {
    /** For the Combobox that shows the list. */
    store,
    groups,
    rows,
    isShown,
    /** The id of the selected option. */
    option,
    close: () => setIsOpen(false),
  };
}
