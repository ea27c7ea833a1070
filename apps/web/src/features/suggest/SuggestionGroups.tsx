import { Combobox } from '@mantine/core';
import { AgentMark } from '../../components/AgentMark.tsx';
import { HighlightedText } from '../../components/HighlightedText.tsx';
import classes from './Suggestions.module.css';
import type { Suggestion, SuggestionGroup } from './use-suggestions.ts';

type SuggestionGroupsProps = {
  /** The id of the list, with which those of its options begin. */
  listId: string;
  groups: readonly SuggestionGroup[];
  /** The id of the selected option. */
  option: string | undefined;
};

/** The options of the list of suggestions; their values are their places in it. */
export function SuggestionGroups({ listId, groups, option }: SuggestionGroupsProps) {
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

function Row({ row: { label, note, agent }, isMarked }: { row: Suggestion; isMarked: boolean }) {
  return (
    <>
      {agent && <AgentMark agent={agent} size={24} />}
      <span dir="auto" className={classes.label}>
        {isMarked ? <HighlightedText>{label}</HighlightedText> : label}
      </span>
      {note !== undefined && <span className={agent ? classes.field : classes.count}> {note}</span>}
    </>
  );
}
