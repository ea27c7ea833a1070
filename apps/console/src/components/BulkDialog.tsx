import { countOf } from '@agent-registry/contracts';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api.ts';
import type { Filters } from '../filters.ts';
import { useVerbs, type Verb } from '../VerbsProvider.tsx';
import { Dialog } from './Dialog.tsx';
import { LoadState } from './LoadState.tsx';

const MAX_NAMED = 20;

type BulkDialogProps = {
  filters: Filters;
  verbs: readonly Verb[];
  onClose: () => void;
  onDone: () => void;
};

/** Asks what is to be done with entries, shows how many it would concern, and then which ones. */
export function BulkDialog({ filters, verbs, onClose, onDone }: BulkDialogProps) {
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
