import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchField } from '../../components/SearchField.tsx';
import { SEARCH_BOX_ID } from '../../navigation/section-links.ts';

/** The search box of the browse section; the hint is shown at its end while it is empty. */
export function SearchBox({ hint }: { hint: ReactNode }) {
  return (
    <SearchField
      id={SEARCH_BOX_ID}
      tool="search_agents"
      size="md"
      placeholder="Search agents by name, description, or capabilities..."
      hint={hint}
    >
      <Button type="submit" size="md">
        Search
      </Button>
    </SearchField>
  );
}
