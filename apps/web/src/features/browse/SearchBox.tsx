import { MAX_SEARCH_LENGTH } from '@agent-registry/contracts';
import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import classes from './SearchBox.module.css';

/** The search box: it searches on Enter or its button, and takes over a text that was searched elsewhere. */
export function SearchBox({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [draft, setDraft] = useState(text);
  const [shownText, setShownText] = useState(text);
  if (text !== shownText) {
    setShownText(text);
    setDraft(text);
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(draft);
  };
  return (
    <form role="search" className={classes.form} onSubmit={submit}>
      <TextInput
        type="search"
        name="q"
        size="md"
        className={classes.input}
        aria-label="Search agents"
        placeholder="Search agents by name, description, or capabilities..."
        leftSection={<IconSearch size={18} stroke={1.7} aria-hidden />}
        maxLength={MAX_SEARCH_LENGTH}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      <Button type="submit" size="md">
        Search
      </Button>
    </form>
  );
}
