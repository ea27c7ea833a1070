import { useCombobox } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { isComposing } from '../../lib/is-composing.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { keepSearch } from './recent-searches.ts';
import { useSuggestions } from './use-suggestions.ts';

type FieldEvents = {
  onKey: (event: KeyboardEvent) => void;
  /** The field gets the focus, or is pressed. */
  onEnter: () => void;
  onType: () => void;
  /** An input method begins or ends a composition. */
  onCompose: (isComposed: boolean) => void;
  onLeave: () => void;
  /** The form of the field is submitted. */
  onSubmit: () => void;
};

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
  useFieldEvents(field, {
    onKey: handleKey,
    onEnter: () => setIsOpen(isOpen || field.value === ''),
    onType: () => setIsOpen(true),
    onCompose: setIsComposed,
    onLeave: () => setIsOpen(false),
    onSubmit: () => {
      setIsOpen(false);
      keepSearch(field.value);
    },
  });

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

/** Listens to a field that another component renders. */
function useFieldEvents(field: HTMLInputElement, events: FieldEvents): void {
  const key = useEffectEvent(events.onKey);
  const enter = useEffectEvent(events.onEnter);
  const type = useEffectEvent(events.onType);
  const compose = useEffectEvent(events.onCompose);
  const leave = useEffectEvent(events.onLeave);
  const submit = useEffectEvent(events.onSubmit);

  useEffect(() => {
    const listeners = new AbortController();
    const options = { signal: listeners.signal };
    field.addEventListener('keydown', (event) => key(event), options);
    // After React has read the text: to render the field before would restore the earlier text.
    document.addEventListener('input', ({ target }) => target === field && type(), options);
    for (const name of ['focus', 'click']) field.addEventListener(name, () => enter(), options);
    field.addEventListener('blur', () => leave(), options);
    field.addEventListener('compositionstart', () => compose(true), options);
    field.addEventListener('compositionend', () => compose(false), options);
    field.form?.addEventListener('submit', () => submit(), options);
    // It can have been left while this was rendered.
    if (document.activeElement !== field) leave();
    return () => listeners.abort();
  }, [field]);
}
