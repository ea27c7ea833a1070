import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Combobox.css';
import { countOf, fold, getCategory } from '@agent-registry/contracts';
import { Combobox } from '@mantine/core';
import { useEffect, useEffectEvent, useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { HighlightContext, HighlightedText } from '../HighlightedText.tsx';
import { useSiteConfig } from '../../lib/site.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { keepSearch, type Suggestion, type SuggestionGroup } from './use-suggestions.ts';
import classes from './Suggestions.module.css';
import { useSuggestionList } from './use-suggestion-list.ts';
import { AgentMark } from '../AgentMark.tsx';

/** The id of a list that is shown, and that of its option that Enter chooses. */
export type ShownList = { id: string; option: string | undefined };

type SuggestionsProps = {
  /** The field, to which the list listens. */
  field: HTMLInputElement;
  typed: string;
  /** Called with the list, and with null when it is hidden. */
  onListChange: (list: ShownList | null) => void;
  onChoose: () => void;
};

type SuggestionGroupsProps = {
  /** The id of the list, with which those of its options begin. */
  listId: string;
  groups: readonly SuggestionGroup[];
  option: string | undefined;
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

/** The words of a text as a search tells them: the last one may be unfinished. */
function toWords(typed: string): string[] {
  const words = fold(typed.trim()).split(/\s+/);
  return words.flatMap((word, index) => (word === '' ? [] : [index === words.length - 1 ? `${word}*` : word]));
}

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
      <span dir="auto" className={classes.label}>
        {isMarked ? <HighlightedText>{label}</HighlightedText> : label}
      </span>
      {agent && <span className={classes.category}> {getCategory(categories, agent.category).name}</span>}
    </>
  );
}
