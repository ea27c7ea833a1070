import { toBrowsePath, type BrowseParams } from '@agent-registry/contracts';
import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';
import { useChosenList } from './chosen-list.tsx';
import { toResults } from './location-state.ts';

type ListLinkProps = Omit<ComponentProps<typeof Link>, 'to' | 'state'> & { change: Partial<BrowseParams> };

/** A link to the chosen list with a change, on the home page. */
export function ListLink({ change, onClick, ...props }: ListLinkProps) {
  const { setChosen, withChange } = useChosenList();
  const list = withChange(change);
  return (
    <Link
      {...props}
      {...toResults}
      to={toBrowsePath(list)}
      onClick={(event) => {
        onClick?.(event);
        const { ctrlKey, metaKey, shiftKey, altKey } = event;
        // With one of these keys the browser opens the link elsewhere.
        if (!ctrlKey && !metaKey && !shiftKey && !altKey) setChosen(list);
      }}
    />
  );
}
