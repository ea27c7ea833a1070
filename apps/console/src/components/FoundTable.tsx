import { Anchor, Button, Checkbox, Group, Table } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Outputs } from '../api.ts';
import { formatTime, stateLabels, toPlainText } from '../labels.ts';
import { StrangersText } from './StrangersText.tsx';

type FoundTableProps = {
  agents: Outputs['agents']['search']['agents'];
  total: number;
  chosen: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
  onChangeChosen: () => void;
  onChangeAll: () => void;
};

/** The results of a search: each can be chosen, and the chosen or all changed. */
export function FoundTable({ agents, total, chosen, onChoose, onChangeChosen, onChangeAll }: FoundTableProps) {
  const ids = agents.map(({ agent }) => agent.id);
  const isAll = ids.every((id) => chosen.has(id));
  const toggle = (id: string) => {
    const others = [...chosen].filter((other) => other !== id);
    onChoose(new Set(chosen.has(id) ? others : [...chosen, id]));
  };
  return (
    <>
      <Group mb="md">
        <Button variant="default" disabled={chosen.size === 0} onClick={onChangeChosen}>
          Change {chosen.size} chosen …
        </Button>
        <Button variant="default" onClick={onChangeAll}>
          Change all {total} …
        </Button>
      </Group>
      <Table.ScrollContainer minWidth="60rem" scrollAreaProps={{ viewportProps: { 'aria-label': 'Entries' } }}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>
                <Checkbox
                  aria-label="All shown"
                  checked={isAll}
                  indeterminate={!isAll && chosen.size > 0}
                  onChange={() => onChoose(new Set(isAll ? [] : ids))}
                  size="md"
                />
              </Table.Th>
              <Table.Th>Name</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Registered</Table.Th>
              <Table.Th>Website</Table.Th>
              <Table.Th>Contact email</Table.Th>
              <Table.Th>Reports</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {agents.map(({ agent, state, reason, reports }) => (
              <Table.Tr key={agent.id}>
                <Table.Td>
                  <Checkbox
                    aria-label={`Choose ${toPlainText(agent.name)}`}
                    checked={chosen.has(agent.id)}
                    onChange={() => toggle(agent.id)}
                    size="md"
                  />
                </Table.Td>
                <Table.Td>
                  <Anchor component={Link} to={`/agents/${agent.id}`}>
                    <StrangersText text={agent.name} />
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  {stateLabels[state]}
                  {reason ? <StrangersText text={`: ${reason}`} /> : null}
                </Table.Td>
                <Table.Td>{formatTime(agent.createdAt)}</Table.Td>
                <Table.Td>
                  <StrangersText text={agent.website ?? 'none'} />
                </Table.Td>
                <Table.Td>
                  <StrangersText text={agent.contactEmail} />
                </Table.Td>
                <Table.Td>{reports}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}
