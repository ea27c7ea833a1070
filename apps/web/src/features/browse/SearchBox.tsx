import { MAX_PASTE_LENGTH } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchField, type SearchFieldProps } from '../../components/SearchField.tsx';
import { PASTE_PATH } from '../../components/use-search-form.ts';
import classes from './Browse.module.css';
import { SEARCH_BOX_ID } from '../../navigation/section-links.ts';

type SearchBoxProps = Pick<SearchFieldProps, 'suggestions'> & {
  /** Shown at the end of the empty box. */
  hint: ReactNode;
};

/** The search box of the browse section. */
export function SearchBox({ hint, suggestions }: SearchBoxProps) {
  return (
    <>
      <SearchField
        id={SEARCH_BOX_ID}
        tool="search_agents"
        size="md"
        placeholder="Search agents by name, description, or capabilities..."
        hint={hint}
        suggestions={suggestions}
      >
        <Button type="submit" size="md">
          Search
        </Button>
      </SearchField>
      <LongText />
    </>
  );
}

/** A form for a text that is too long for the search box. With scripts, the box takes it. */
function LongText() {
  return (
    <details className={`without-scripts ${classes.long}`}>
      <summary>Search with a longer text</summary>
      <form method="post" action={PASTE_PATH}>
        <textarea name="q" rows={4} maxLength={MAX_PASTE_LENGTH} aria-label="Longer text" required />
        <button type="submit" className="pill">
          Search with this text
        </button>
      </form>
    </details>
  );
}
