import { MAX_QUERY_LENGTH } from '@agent-registry/contracts';
import { Anchor, Button, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useApi } from '../api.ts';
import { LoadState } from '../components/LoadState.tsx';
import { StrangersText } from '../components/StrangersText.tsx';

/** A search as visitors have it, with what the score of each result is made of. */
export function ExplainPage() {
  const [params, setParams] = useSearchParams();
  const text = params.get('q') ?? '';
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('q');
    setParams({ q: typeof typed === 'string' ? typed.trim() : '' });
  }
  return (
    <>
      <Title order={1} mb="md">
        Explain
      </Title>
      <form key={text} role="search" aria-label="Words" onSubmit={submit}>
        <TextInput
          name="q"
          label="Words"
          description="of a search, as visitors type them"
          maxLength={MAX_QUERY_LENGTH}
          defaultValue={text}
          required
        />
        <Button type="submit" my="md">
          Explain
        </Button>
      </form>
      {text !== '' && <Results q={text} />}
    </>
  );
}

function Results({ q }: { q: string }) {
  const query = useQuery(useApi().queries.agents.explain.queryOptions({ q }));
  const { results, understood, correction } = query.data ?? {};
  return (
    <section aria-label="Results">
      <LoadState query={query} />
      {results?.length === 0 && <Text role="status">Nothing is found.</Text>}
      {understood !== undefined && <Text>Understood as: {understood}</Text>}
      {correction !== undefined && <Text>Found by: {correction}</Text>}
      <ol>
        {results?.map(({ id, name, score, parts }) => (
          <li key={id}>
            <Anchor component={Link} to={`/agents/${id}`} py={10}>
              <StrangersText text={name} />
            </Anchor>{' '}
            {score}
            <Text c="dimmed">
              <StrangersText text={parts.join('; ')} />
            </Text>
          </li>
        ))}
      </ol>
    </section>
  );
}
