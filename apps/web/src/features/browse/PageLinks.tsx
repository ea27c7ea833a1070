import {
  CARDS_PER_PAGE,
  formatCount,
  toFirstPage,
  toListCursor,
  type BrowseParams,
  type ListStart,
} from '@agent-registry/contracts';
import { Arrow } from '../../lib/Arrow.tsx';
import { focusContainer } from '../../components/focus-container.ts';
import { ListLink } from '../../navigation/ListLink.tsx';
import { SectionLink } from '../../navigation/SectionLink.tsx';
import classes from './Results.module.css';
import { LONG_LIST, type List } from './use-list.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Where a page of a list is, and links to the pages beside it; above the first page of a long list by name, letters. */
export function PageLinks({ list: { params, isPart, shown, position, end, next, total } }: { list: List }) {
  const [first] = shown;
  return (
    <>
      {params.sort === 'name' && total > LONG_LIST && <LetterLinks params={params} />}
      {isPart && total > 0 && (
        <nav className={classes.pages} aria-label="Pages">
          <ListLink {...toPage(params, {})}>Back to the first agents</ListLink>
          {first && position > 1 && (
            <ListLink {...toPage(params, { before: toListCursor(params, first, position) })}>
              <Arrow isBack /> Previous
            </ListLink>
          )}
          {first && <span>{describeRange(position, end, total)}</span>}
          {next !== undefined && end < total && (
            <ListLink {...toPage(params, { after: next })}>
              Next <Arrow />
            </ListLink>
          )}
        </nav>
      )}
    </>
  );
}

/** Below many cards: ways to go on with a short list, to jump to a letter, or back to the search. */
export function JumpLinks({ list: { params, end, next, total } }: { list: List }) {
  if (next === undefined) return null;
  return (
    <>
      <nav className={classes.pages} aria-label="More pages">
        <SectionLink section="browse">Back to the search</SectionLink>
        {end < total && (
          <ListLink {...toPage(params, { after: next })}>
            Jump to {describeRange(end + 1, Math.min(total, end + CARDS_PER_PAGE), total)}
          </ListLink>
        )}
      </nav>
      {params.sort !== 'name' && <LetterLinks params={params} />}
    </>
  );
}

/** Links to the agents of a list from a letter on, in the order of their names. */
function LetterLinks({ params }: { params: BrowseParams }) {
  return (
    <nav className={classes.letters} aria-label="Agents by name">
      <span>By name</span>
      {Array.from(LETTERS, (letter) => {
        const from = letter.toLowerCase();
        return (
          <ListLink
            key={letter}
            {...toPage({ ...params, sort: 'name' }, { from })}
            aria-label={`Names from ${letter}`}
            aria-current={from === params.from ? 'page' : undefined}
          >
            {letter}
          </ListLink>
        );
      })}
    </nav>
  );
}

function describeRange(from: number, to: number, total: number): string {
  return `${formatCount(from)}–${formatCount(to)} of ${formatCount(total)}`;
}

function toPage(params: BrowseParams, start: ListStart) {
  return { change: { ...toFirstPage(params), ...start }, onClick: focusContainer };
}
