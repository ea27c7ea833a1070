import { Button } from '@mantine/core';
import { SearchField } from '../../components/SearchField.tsx';
import { SEARCH_BOX_ID } from '../../navigation/section-links.ts';
import { KeysHint } from '../keys/KeysHint.tsx';

/** The search box of the browse section. */
export function SearchBox() {
  return (
    <SearchField
      id={SEARCH_BOX_ID}
      size="md"
      placeholder="Search agents by name, description, or capabilities..."
      hint={<KeysHint />}
    >
      <Button type="submit" size="md">
        Search
      </Button>
    </SearchField>
  );
}
