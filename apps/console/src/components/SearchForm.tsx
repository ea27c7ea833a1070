import { agentStates, type AgentState } from '@agent-registry/contracts';
import { Button, Checkbox, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { useApi, type Inputs } from '../api.ts';
import { stateLabels } from '../labels.ts';

/** What a search looks for: the conditions as typed, the states, and entries that were picked. */
export type Filters = Inputs['agents']['search'] & { states: AgentState[] };

const fields = [
  ['text', 'Text', 'in the name, description or capabilities'],
  ['host', 'Host', 'such as example.com, with its subdomains'],
  ['email', 'Contact email', 'an address, or a domain: @example.com'],
  ['since', 'Registered since', '30m, 2h, 7d, or a day: 2026-11-21'],
  ['hiddenAt', 'Hidden at', 'the time of one hide command'],
] as const;

/** The conditions that are texts, by their parameters in the address. */
const textFilters = [...fields.map(([name]) => name), 'category'] as const;

/** Reads the filters of an address; all states by default. */
export function readFilters(params: URLSearchParams): Filters {
  const states = agentStates.filter((state) => params.getAll('state').includes(state));
  const texts = textFilters.flatMap((name) => {
    const value = params.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(texts), states: states.length > 0 ? states : [...agentStates] };
}

/** The parameters of an address with these filters. */
export function toParams({ states, ...filters }: Filters): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of textFilters) if (filters[name]) params.set(name, filters[name]);
  if (states.length < agentStates.length) for (const state of states) params.append('state', state);
  return params;
}

/** The filters of the commands. The fields are uncontrolled. */
export function SearchForm({ filters, onSearch }: { filters: Filters; onSearch: (filters: Filters) => void }) {
  const { queries } = useApi();
  const { data: session } = useQuery(queries.session.queryOptions(undefined, { staleTime: Infinity }));

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() : '',
    ]);
    onSearch(readFilters(new URLSearchParams(entries)));
  }

  return (
    <form role="search" aria-label="Entries" onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {fields.map(([name, label, description]) => (
          <TextInput key={name} name={name} label={label} description={description} defaultValue={filters[name]} />
        ))}
        {session && (
          <NativeSelect
            name="category"
            label="Category"
            description="of the registry"
            defaultValue={filters.category}
            data={[
              { value: '', label: 'Any' },
              ...session.categories.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
      </SimpleGrid>
      <Group role="group" aria-label="States" my="md">
        {agentStates.map((state) => (
          <Checkbox
            key={state}
            name="state"
            value={state}
            label={stateLabels[state]}
            defaultChecked={filters.states.includes(state)}
            py="xs"
          />
        ))}
      </Group>
      <Button type="submit">Search</Button>
    </form>
  );
}
