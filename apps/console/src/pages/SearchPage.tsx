import { countOf } from '@agent-registry/contracts';
import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useApi } from '../api.ts';
import { BulkDialog } from '../components/BulkDialog.tsx';
import { FoundTable } from '../components/FoundTable.tsx';
import { LoadState } from '../components/LoadState.tsx';
import { SearchForm } from '../components/SearchForm.tsx';
import { readFilters, toParams, type Filters } from '../filters.ts';

/** Search over all states with the filters of the commands, and changes of many entries at once. */
export function SearchPage() {
  const [params, setParams] = useSearchParams();
  const filters = readFilters(params);
  return (
    <>
      <Title order={1} mb="md">
        Search
      </Title>
      <SearchForm key={params.toString()} filters={filters} onSearch={(chosen) => setParams(toParams(chosen))} />
      <Found key={`found ${params.toString()}`} filters={filters} />
    </>
  );
}

function Found({ filters }: { filters: Filters }) {
  const { queries } = useApi();
  const query = useQuery(queries.agents.search.queryOptions(filters));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [bulk, setBulk] = useState<Filters>();
  const { agents = [], total = 0, verbs = [] } = query.data ?? {};
  const picked = agents.flatMap(({ agent }) => (chosen.has(agent.id) ? agent.id : []));
  return (
    <section aria-label="Results">
      <LoadState query={query} />
      {query.data && (
        <Text role="status" my="md">
          {total === 0 ? 'No entry matches.' : `${countOf(total, 'entry matches', 'entries match')}.`}
          {total > agents.length && ` These are the latest ${agents.length}.`}
        </Text>
      )}
      {agents.length > 0 && (
        <FoundTable
          agents={agents}
          total={total}
          chosen={chosen}
          onChoose={setChosen}
          onChangeChosen={() => setBulk({ ids: picked, states: filters.states })}
          onChangeAll={() => setBulk(filters)}
        />
      )}
      {bulk && (
        <BulkDialog
          filters={bulk}
          verbs={verbs}
          onClose={() => setBulk(undefined)}
          onDone={() => setChosen(new Set())}
        />
      )}
    </section>
  );
}
