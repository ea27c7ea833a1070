import { MAX_SEARCH_LENGTH, type CategoryId } from '@agent-registry/contracts';
import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import classes from './SearchBox.module.css';
import { SearchKey } from './SearchKey.tsx';

type SearchBoxProps = {
  /** The search text in the URL. */
  text: string;
  /** The selected category. */
  category: CategoryId | undefined;
  onSearch: (text: string) => void;
};

/**
 * The search box; it searches on Enter or its button. The text follows the URL; text that was typed and not searched is
 * cleared when a category is selected.
 */
export function SearchBox({ text, category, onSearch }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  const [previous, setPrevious] = useState({ text, category });
  if (text !== previous.text || category !== previous.category) {
    setPrevious({ text, category });
    if (text !== previous.text || category) setTyped(text);
  }

  // Text typed before hydration.
  useEffect(() => {
    const box = input.current;
    if (box && box.value !== box.defaultValue) setTyped(box.value);
  }, []);

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed);
  };
  return (
    <form role="search" action="/#browse" className={classes.form} onSubmit={handleSubmit}>
      {category && <input type="hidden" name="category" value={category} />}
      <TextInput
        ref={input}
        id="search"
        type="search"
        name="q"
        size="md"
        className={classes.field}
        classNames={{ input: classes.input }}
        aria-label="Search agents"
        placeholder="Search agents by name, description, or capabilities..."
        maxLength={MAX_SEARCH_LENGTH}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        leftSection={<IconSearch size={18} stroke={1.7} aria-hidden />}
        rightSection={<SearchKey input={input} />}
        rightSectionWidth="var(--search-key-width)"
      />
      <Button type="submit" size="md">
        Search
      </Button>
    </form>
  );
}
