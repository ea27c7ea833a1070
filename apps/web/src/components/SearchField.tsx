import {
  MAX_PASTE_LENGTH,
  MAX_SEARCH_LENGTH,
  toBrowseFields,
  toFirstPage,
  PASTE_PARAMETER,
} from '@agent-registry/contracts';
import { CloseButton } from '@mantine/core';
import search from '../icons/search.svg?raw';
import { Icon } from './Icon.tsx';
import { useState, type ReactNode, useEffect, useRef, type KeyboardEvent, type SubmitEvent } from 'react';
import { createLazyComponent } from './lazy-component.tsx';
import { useHydrated } from '../lib/use-hydrated.ts';
import classes from './SearchField.module.css';
import type { ShownList } from './suggest/Suggestions.tsx';
import { isComposing } from '../lib/is-composing.ts';
import { useChosenList } from '../navigation/chosen-list.tsx';

export const [SEARCH_BOX_ID, HEADER_SEARCH_ID] = ['search', 'header-search'];

export const lazySuggestions = createLazyComponent(async () => (await import('./suggest/Suggestions.tsx')).Suggestions);

type SearchFieldProps = {
  size: 'sm' | 'md';
  id?: string;
  label?: string;
  className?: string | undefined;
  placeholder: string;
  children?: ReactNode;
  onSearch?: () => void;
};

/** A form that searches on Enter. The clear button and Escape lead back to the list without a search. */
export function SearchField({ size, id, label, className, placeholder, children, onSearch }: SearchFieldProps) {
  const form = useSearchForm(onSearch);
  const { chosen, input, typed } = form;
  const isHydrated = useHydrated();
  const [used, setUsed] = useState<HTMLInputElement | null>(null);
  const [shown, setShown] = useState<ShownList | null>(null);
  return (
    <form
      role="search"
      aria-label={label}
      action="/"
      className={`${classes.form} ${className ?? ''}`}
      onSubmit={form.submit}
    >
      {toBrowseFields({ ...toFirstPage(chosen), text: '' }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {/* Not Mantine's, which every page would load. */}
      <div className={classes.field}>
        <Icon svg={search} size={18} />
        <input
          ref={input}
          id={id}
          type="text"
          role={isHydrated ? 'combobox' : 'searchbox'}
          {...(isHydrated && toComboboxProps(shown))}
          name="q"
          inputMode="search"
          enterKeyHint="search"
          aria-keyshortcuts={id && '/'}
          autoComplete="off"
          data-size={size}
          aria-label="Search agents"
          placeholder={placeholder}
          maxLength={isHydrated ? MAX_PASTE_LENGTH : MAX_SEARCH_LENGTH}
          value={typed}
          onChange={(event) => form.setTyped(event.currentTarget.value)}
          onFocus={(event) => setUsed(event.currentTarget)}
          onKeyDown={form.clearOnEscape}
        />
        {typed && (
          <CloseButton
            className="needs-scripts"
            size="var(--control-height)"
            iconSize={18}
            radius="sm"
            aria-label="Clear the search"
            onClick={form.clear}
          />
        )}
      </div>
      {children}
      {used && <lazySuggestions.Component field={used} typed={typed} onListChange={setShown} onChoose={form.end} />}
    </form>
  );
}

function toComboboxProps(shown: ShownList | null) {
  return {
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-expanded': shown !== null,
    'aria-controls': shown?.id,
    'aria-activedescendant': shown?.option,
    // Escape closes the list, not the drawer around it.
    'data-mantine-stop-propagation': shown !== null || undefined,
  } as const;
}

/** Where a text is posted that is too long for an address. */
export const PASTE_PATH = `/?${PASTE_PARAMETER}`;

/** The text of a search field, which is that of the URL whenever the list changes, and what submits and clears it. */
function useSearchForm(onSearch?: () => void) {
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
