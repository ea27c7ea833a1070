import { isAgentId } from '@agent-registry/contracts';
import { Button, Group, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router-dom';

export function OpenEntry() {
  const navigate = useNavigate();
  const [error, setError] = useState<string>();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form).get('entry');
    const id = readAgentId(typeof typed === 'string' ? typed : '');
    setError(id === undefined ? 'Enter the id of an entry, or the address of its page.' : undefined);
    if (id === undefined) return;
    form.reset();
    void navigate(`/agents/${id}`);
  }

  return (
    // Hotkeys of the queue listen on the document: typing here must not trigger them.
    <form aria-label="Open an entry" onSubmit={submit} onKeyDown={(event) => event.stopPropagation()}>
      <Group gap="xs" align="start">
        <TextInput name="entry" aria-label="Id or address" placeholder="Id or address of an entry" error={error} />
        <Button type="submit" variant="default">
          Open
        </Button>
      </Group>
    </form>
  );
}

/**
 * Reads the id from the address of an agent's page or call, or from the id itself; undefined if there is none.
 * @example readAgentId('https://registry.example/agent/3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f?manage=edit')
 */
export function readAgentId(text: string): string | undefined {
  const typed = text.trim();
  const [, id = typed] = /\/agents?\/([^/?#]+)/.exec(typed) ?? [];
  return isAgentId(id) ? id : undefined;
}
