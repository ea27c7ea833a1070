import {
  CARDS_PER_PAGE,
  formatCount,
  toFirstPage,
  toListCursor,
  type BrowseParams,
  type ListedAgent,
  type ListStart,
} from '@agent-registry/contracts';
import type { AgentList } from '../../api/use-agent-list.ts';
import { Arrow } from '../../lib/Arrow.tsx';
import { focusContainer } from '../../components/focus-container.ts';
import { ListLink } from '../../navigation/ListLink.tsx';
import { SectionLink } from '../../navigation/SectionLink.tsx';
import { isPart, LONG_LIST } from './long-list.ts';
import classes from './Results.module.css';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

type PageLinksProps = {
  list: AgentList;
  params: BrowseParams;
  /** The agents that are shown. */
  shown: readonly ListedAgent[];
};

/** Where a page of a list is, and links to the pages beside it; above the first page of a long list by name, letters. */
export function PageLinks({ list, params, shown }: PageLinksProps) {
  const { position, total } = list;
  const { first, last, end, isEnd } = describePart(list, shown);
  return (
    <>
      {params.sort === 'name' && total > LONG_LIST && <LetterLinks params={params} />}
      {isPart(params) && total > 0 && (
        <nav className={classes.pages} aria-label="Pages">
          <ListLink {...toPage(params, {})}>Back to the first agents</ListLink>
          {first && position > 1 && (
            <ListLink {...toPage(params, { before: toListCursor(params, first, position) })}>
              <Arrow isBack /> Previous
            </ListLink>
          )}
          {first && <span>{describeRange(position, end, total)}</span>}
          {last && !isEnd && (
            <ListLink {...toPage(params, { after: toListCursor(params, last, end) })}>
              Next <Arrow />
            </ListLink>
          )}
        </nav>
      )}
    </>
  );
}

/** Below many cards: ways to go on with a short list, to jump to a letter, or back to the search. */
export function JumpLinks({ list, params, shown }: PageLinksProps) {
  const { last, end, isEnd } = describePart(list, shown);
  if (!last) return null;
  return (
    <>
      <nav className={classes.pages} aria-label="More pages">
        <SectionLink section="browse">Back to the search</SectionLink>
        {!isEnd && (
          <ListLink {...toPage(params, { after: toListCursor(params, last, end) })}>
            Jump to {describeRange(end + 1, Math.min(list.total, end + CARDS_PER_PAGE), list.total)}
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

function describePart({ position, total }: AgentList, shown: readonly ListedAgent[]) {
  const end = position + shown.length - 1;
  return { first: shown[0], last: shown.at(-1), end, isEnd: end >= total };
}

function describeRange(from: number, to: number, total: number): string {
  return `${formatCount(from)}–${formatCount(to)} of ${formatCount(total)}`;
}

function toPage(params: BrowseParams, start: ListStart) {
  return { list: { ...toFirstPage(params), ...start }, onClick: focusContainer };
}
