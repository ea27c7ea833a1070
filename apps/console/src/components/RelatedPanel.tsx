import { Anchor, Badge, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useApi, type Outputs } from '../api.ts';
import { countOf, stateLabels } from '../labels.ts';
import { LoadState } from './LoadState.tsx';
import { StrangersText } from './StrangersText.tsx';

type RelatedAgent = Outputs['agents']['related']['alike'][number];

const bonds = [
  ['host', 'the same host'],
  ['email', 'the same contact email'],
  ['text', 'the same description'],
] as const;

/** What an entry has in common with others, and what the search finds alike. */
export function RelatedPanel({ id }: { id: string }) {
  const { queries } = useApi();
  const query = useQuery(queries.agents.related.queryOptions({ id }));
  const related = query.data;
  return (
    <section aria-labelledby="related">
      <Title order={3} id="related" mb="xs">
        Related entries
      </Title>
      <LoadState query={query} />
      {related && (
        <>
          {bonds.map(([bond, label]) => (
            <RelatedList
              key={bond}
              heading={`${countOf(related[bond].total, 'other entry', 'other entries')} with ${label}`}
              agents={related[bond].agents}
            />
          ))}
          <RelatedList heading="Listed entries that the search finds alike" agents={related.alike} />
        </>
      )}
    </section>
  );
}

function RelatedList({ heading, agents }: { heading: string; agents: readonly RelatedAgent[] }) {
  return (
    <>
      <Text c="dimmed">{agents.length === 0 ? `${heading}: none` : heading}</Text>
      {agents.length > 0 && (
        <ul className="rows">
          {agents.map(({ id, name, state }) => (
            <li key={id} className="row">
              <Group gap="sm">
                <Anchor component={Link} to={`/agents/${id}`} py={10}>
                  <StrangersText text={name} />
                </Anchor>
                {state !== 'listed' && (
                  <Badge variant="outline" color="gray" autoContrast>
                    {stateLabels[state]}
                  </Badge>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
