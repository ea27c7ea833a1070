import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Combobox.css';
import { countOf, fold, getCategory } from '@agent-registry/contracts';
import { Combobox, useCombobox } from '@mantine/core';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { HighlightContext, HighlightedText } from '../HighlightedText.tsx';
import { isComposing } from '../../lib/is-composing.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { keepSearch, useSuggestions, type Suggestion, type SuggestionGroup } from './use-suggestions.ts';
import classes from './Suggestions.module.css';
import { AgentMark } from '../AgentMark.tsx';

export type ShownList = { id: string; option: string | undefined };

type SuggestionsProps = {
  field: HTMLInputElement;
  typed: string;
  onListChange: (list: ShownList | null) => void;
  onChoose: () => void;
};

/** The list of suggestions of a search field. It listens to the field and tells it which list and option are shown. */
export function Suggestions({ field, typed, onListChange, onChoose }: SuggestionsProps) {
  const navigate = useNavigate();
  const { choose } = useChosenList();
  const listId = useId();
  const { store, groups, rows, isShown, option, close } = useSuggestionList(field, typed);

  const tellField = useEffectEvent(onListChange);
  useEffect(() => tellField(isShown ? { id: listId, option } : null), [isShown, listId, option]);

  useEffect(() => {
    // The keyboard of a phone leaves little room below a field in the middle of the page.
    if (isShown && window.matchMedia('(max-width: 39.99em) and (pointer: coarse)').matches) {
      field.form?.scrollIntoView({ block: 'start' });
    }
  }, [isShown, field]);

  const follow = ({ target }: Suggestion) => {
    close();
    if ('path' in target) void navigate(target.path);
    else {
      keepSearch(target.change.text ?? '');
      choose(target.change);
    }
    onChoose();
  };
  return (
    <Combobox
      store={store}
      withinPortal={false}
      keepMounted={false}
      position="bottom-start"
      offset={6}
      floatingHeight="viewport"
      onOptionSubmit={(index) => {
        const row = rows[Number(index)];
        if (row) follow(row);
      }}
    >
      <Combobox.DropdownTarget>
        <span className={classes.target} />
      </Combobox.DropdownTarget>
      <Combobox.Dropdown className={classes.dropdown}>
        <HighlightContext value={toWords(typed)}>
          <Combobox.Options id={listId} aria-label="Suggestions" className={classes.options}>
            <SuggestionGroups listId={listId} groups={groups} option={option} />
          </Combobox.Options>
        </HighlightContext>
      </Combobox.Dropdown>
      <span aria-live="polite" className="visually-hidden">
        {isShown && countOf(rows.length, 'suggestion')}
      </span>
    </Combobox>
  );
}

/** The suggestions below a search field, and which one is selected. It follows focus, text and keys of the field. */
function useSuggestionList(field: HTMLInputElement, typed: string) {
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

  return { store, groups, rows, isShown, option, close: () => setIsOpen(false) };
}

/** The words of a text as a search tells them: the last one may be unfinished. */
function toWords(typed: string): string[] {
  const words = fold(typed.trim()).split(/\s+/);
  return words.flatMap((word, index) => (word === '' ? [] : [index === words.length - 1 ? `${word}*` : word]));
}

type SuggestionGroupsProps = { listId: string; groups: readonly SuggestionGroup[]; option: string | undefined };

/** The options of the list of suggestions; their values are their places in it. */
function SuggestionGroups({ listId, groups, option }: SuggestionGroupsProps) {
  const rows = groups.flatMap((group) => group.rows);
  return groups.map(({ heading, rows: groupRows }) => (
    <Combobox.Group key={heading ?? ''} label={heading} className={classes.group}>
      {groupRows.map((row) => {
        const index = rows.indexOf(row);
        const id = `${listId}-${index}`;
        return (
          <Combobox.Option
            key={row.label + index}
            id={id}
            value={String(index)}
            selected={id === option}
            aria-selected={id === option}
            className={classes.option}
          >
            <Row row={row} isMarked={heading !== undefined} />
          </Combobox.Option>
        );
      })}
    </Combobox.Group>
  ));
}

function Row({ row: { label, agent }, isMarked }: { row: Suggestion; isMarked: boolean }) {
  const { categories } = useSiteConfig();
  return (
    <>
      {agent && <AgentMark agent={agent} size="sm" />}
      <span dir="auto" className="cut">
        {isMarked ? <HighlightedText>{label}</HighlightedText> : label}
      </span>
      {agent && <span className={classes.category}> {getCategory(categories, agent.category).name}</span>}
    </>
  );
}
