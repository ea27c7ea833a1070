import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchField, type SearchFieldProps } from '../../components/SearchField.tsx';
import { SEARCH_BOX_ID } from '../../navigation/section-links.ts';

type SearchBoxProps = Pick<SearchFieldProps, 'suggestions'> & {
  /** Shown at the end of the empty box. */
  hint: ReactNode;
};

/** The search box of the browse section. */
export function SearchBox({ hint, suggestions }: SearchBoxProps) {
  return (
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
  );
}
