import { countOf } from '@agent-registry/contracts';
import { Text, Title, Button, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useApi } from '../api.ts';
import { FoundTable } from '../components/FoundTable.tsx';
import { LoadState } from '../components/LoadState.tsx';
import { SearchForm, readFilters, toParams, type Filters } from '../components/SearchForm.tsx';
import { useVerbs, type Verb } from '../VerbsProvider.tsx';
import { Dialog } from '../components/Dialog.tsx';

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

const MAX_NAMED = 20;

type BulkDialogProps = {
  filters: Filters;
  verbs: readonly Verb[];
  onClose: () => void;
  onDone: () => void;
};

/** Asks what is to be done with entries, shows how many it would concern, and then which ones. */
function BulkDialog({ filters, verbs, onClose, onDone }: BulkDialogProps) {
  const { queries } = useApi();
  const { ask } = useVerbs();
  const [name, setName] = useState<Verb['name']>('hide');
  // Read anew for each dialog: the preview is what is changed.
  const query = useQuery(queries.agents.preview.queryOptions({ ...filters, verb: name }, { gcTime: 0 }));
  const { ids = [], first = [], would = '' } = query.data ?? {};
  const verb = verbs.find((other) => other.name === name);
  const concerned = `${countOf(ids.length, 'entry', 'entries')} would be ${would}`;

  function confirm() {
    if (!verb) return;
    onClose();
    const names = first.slice(0, MAX_NAMED).map((agent) => agent.name);
    ask({ verb, targets: ids.map((id) => ({ id })), names, summary: `${concerned}:`, onDone });
  }

  return (
    <Dialog onClose={onClose} title="Change entries">
      <NativeSelect
        label="What to do"
        value={name}
        onChange={(event) => setName(event.currentTarget.value as Verb['name'])}
        data={verbs.map(({ name: value, label }) => ({ value, label }))}
        mb="md"
      />
      <LoadState query={query} />
      {query.data && (
        <Text role="status">{ids.length === 0 ? `None of these entries can be ${would}.` : `${concerned}.`}</Text>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={ids.length === 0} onClick={confirm}>
          Show them
        </Button>
      </Group>
    </Dialog>
  );
}
