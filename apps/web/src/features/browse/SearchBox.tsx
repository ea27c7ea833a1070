import { MAX_SEARCH_LENGTH, type CategoryId } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { memo, useEffect, useRef, useState, type FormEvent } from 'react';
import classes from './SearchBox.module.css';
import { SearchKey } from './SearchKey.tsx';

type SearchBoxProps = {
  text: string;
  /** The category that stays while a text is searched for. */
  category: CategoryId | undefined;
  onSearch: (text: string) => void;
};

/**
 * The search box: it searches on Enter or its button, and takes over a text that was searched elsewhere. What was typed
 * and not searched goes when a category is chosen, and stays when it is cleared.
 */
export const SearchBox = memo(function SearchBox({ text, category, onSearch }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(text);
  const [shown, setShown] = useState({ text, category });
  if (text !== shown.text || category !== shown.category) {
    setShown({ text, category });
    if (text !== shown.text || category) setDraft(text);
  }

  // What was typed before the scripts of the page ran. The same text again would be no change, but React keeps it and
  // puts it in the place of the next one that is taken over.
  useEffect(() => {
    const box = input.current;
    if (box && box.value !== box.defaultValue) setDraft(box.value);
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(draft);
  };
  return (
    <form role="search" action="/#browse" className={classes.form} onSubmit={submit}>
      {category && <input type="hidden" name="category" value={category} />}
      <div className={classes.field}>
        <IconSearch size={18} stroke={1.7} aria-hidden />
        <input
          ref={input}
          type="search"
          name="q"
          className={classes.input}
          aria-label="Search agents"
          placeholder="Search agents by name, description, or capabilities..."
          maxLength={MAX_SEARCH_LENGTH}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
        />
        <SearchKey input={input} />
      </div>
      <Button type="submit" size="md">
        Search
      </Button>
    </form>
  );
});
