import { formatCount, toFirstPage, toListCursor, type BrowseParams, type ListStart } from '@agent-registry/contracts';
import { Arrow } from '../../lib/Arrow.tsx';
import { focusContainer } from '../../components/focus-container.ts';
import { ListLink } from '../../navigation/ListLink.tsx';
import classes from './Results.module.css';
import type { List } from './use-list.ts';

export function PageLinks({ list }: { list: List }) {
  const { params, shown, position, end, last, next } = list;
  const [first] = shown;
  return (
    <nav className={classes.pages} aria-label="Pages">
      <ListLink {...toPage(params, {})}>Back to the first agents</ListLink>
      {first && position > 1 && (
        <ListLink {...toPage(params, { before: toListCursor(params, first, position) })}>
          <Arrow isBack /> Previous
        </ListLink>
      )}
      {first && <span>{describeRange(position, end, list)}</span>}
      {next !== undefined && end < last && (
        <ListLink {...toPage(params, { after: next })}>
          Next <Arrow />
        </ListLink>
      )}
    </nav>
  );
}

function describeRange(from: number, to: number, { total, totalBound }: List): string {
  return `${formatCount(from)}–${formatCount(to)} of ${formatCount(total, totalBound)}`;
}

function toPage(params: BrowseParams, start: ListStart) {
  return { change: { ...toFirstPage(params), ...start }, onClick: focusContainer };
}
