import { Paper, Text, Title } from '@mantine/core';
import type { Outputs } from '../api.ts';
import { formatTime, labelOfField } from '../labels.ts';
import { FieldRow } from './FieldRow.tsx';
import { FieldValue } from './FieldValue.tsx';
import { StrangersText } from './StrangersText.tsx';

const kinds = { listed: 'Listed', updated: 'Changed', removed: 'Taken off the list' } as const;

/** What became of an entry, with all values, and what operators did to it; latest first. */
export function EntryHistory({ entry: { history, actions } }: { entry: Outputs['agents']['get'] }) {
  return (
    <>
      <Paper component="section" withBorder p="md" my="md" aria-labelledby="history">
        <Title order={2} size="h3" id="history">
          History
        </Title>
        {history.length === 0 && <Text>It was never listed.</Text>}
        <ul className="rows">
          {history.toReversed().map(({ at, change, actor, fields = {} }) => (
            <li key={at + change}>
              <Text mt="xs">
                {formatTime(at)}: {kinds[change]} by {actor}
              </Text>
              <dl className="fields">
                {Object.entries(fields).map(([field, values]) => (
                  <FieldRow key={field} label={labelOfField(field)}>
                    {values ? (
                      <>
                        <del>
                          <FieldValue field={field} value={values[0]} />
                        </del>{' '}
                        <ins>
                          <FieldValue field={field} value={values[1]} />
                        </ins>
                      </>
                    ) : (
                      'Changed'
                    )}
                  </FieldRow>
                ))}
              </dl>
            </li>
          ))}
        </ul>
      </Paper>
      <Paper component="section" withBorder p="md" aria-labelledby="actions">
        <Title order={2} size="h3" id="actions">
          Actions of operators
        </Title>
        {actions.length === 0 && <Text>There were none.</Text>}
        <ul className="rows">
          {actions.map(({ number, at, by, command, reason }) => (
            <li key={number}>
              {formatTime(at)}: {command} by <StrangersText text={by} />
              {reason !== '' && (
                <>
                  : <StrangersText text={reason} />
                </>
              )}
            </li>
          ))}
        </ul>
      </Paper>
    </>
  );
}
