import { countOf } from '@agent-registry/contracts';
import { Anchor, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useApi, type Outputs } from '../api.ts';
import { stateLabels } from '../labels.ts';
import { LoadState } from './LoadState.tsx';
import { StrangersText } from './StrangersText.tsx';

type RelatedAgent = Outputs['agents']['related']['alike'][number];

const bonds = [
  ['host', 'the same host or account'],
  ['email', 'the same contact email'],
  ['text', 'the same description'],
] as const;

/** What an entry has in common with others, and what the search finds alike. */
export function RelatedPanel({ id, order }: { id: string; order: 2 | 3 }) {
  const { queries } = useApi();
  const query = useQuery(queries.agents.related.queryOptions({ id }));
  const related = query.data;
  return (
    <section className="related" aria-labelledby="related">
      <Title order={order} size="h3" id="related" mb="xs">
        Related entries
      </Title>
      <LoadState query={query} />
      {related && (
        <>
          {bonds.map(([bond, label]) => (
            <RelatedList
              key={bond}
              heading={
                related[bond].total === 0
                  ? `No other entry has ${label}.`
                  : `${countOf(related[bond].total, 'other entry has', 'other entries have')} ${label}:`
              }
              agents={related[bond].agents}
            />
          ))}
          <RelatedList
            heading={
              related.alike.length === 0 ? 'The search finds no listed entry like it.' : 'The search finds these alike:'
            }
            agents={related.alike}
          />
        </>
      )}
    </section>
  );
}

function RelatedList({ heading, agents }: { heading: string; agents: readonly RelatedAgent[] }) {
  return (
    <>
      <Text c="dimmed">{heading}</Text>
      {agents.length > 0 && (
        <ul className="links">
          {agents.map(({ id, name, state }) => (
            <li key={id}>
              <Group gap="xs">
                <Anchor component={Link} to={`/agents/${id}`} py={10}>
                  <StrangersText text={name} />
                </Anchor>
                {state !== 'listed' && (
                  <Text size="sm" c="dimmed">
                    ({stateLabels[state]})
                  </Text>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
