import { formatCount, type ListedAgent } from '@agent-registry/contracts';
import { Link } from 'react-router-dom';
import { CARDS_PER_PAGE, type AgentList } from '../../api/use-agent-list.ts';
import { focusContainer } from '../../components/focus-container.ts';
import { toBrowsePath, toFirstPage, type BrowseParams, type ListStart } from '../../navigation/browse-params.ts';
import { toResults } from '../../navigation/location-state.ts';
import { SectionLink } from '../../navigation/SectionLink.tsx';
import classes from './Results.module.css';

type PageLinksProps = {
  list: AgentList;
  params: BrowseParams;
  /** The agents that are shown. */
  shown: readonly ListedAgent[];
};

/** Where a page of a list is, and links to the pages beside it; nothing above the first page. */
export function PageLinks({ list, params, shown }: PageLinksProps) {
  const { position } = list;
  const { first, last, end, isEnd } = describePart(list, shown);
  const isPart = params.after !== undefined || params.before !== undefined;
  if (!first || !last || !isPart) return null;
  return (
    <nav className={classes.pages} aria-label="Pages">
      <Link {...toPage(params, {})}>Back to the first agents</Link>
      {position > 1 && <Link {...toPage(params, { before: first.id })}>← Previous</Link>}
      <span>{describeRange(position, end, list.total)}</span>
      {!isEnd && <Link {...toPage(params, { after: last.id })}>Next →</Link>}
    </nav>
  );
}

/** Below a list that has grown long: a way to go on with a short one, or back to the search. */
export function JumpLinks({ list, params, shown }: PageLinksProps) {
  const { last, end, isEnd } = describePart(list, shown);
  // The cards of three presses.
  if (!last || shown.length <= 3 * CARDS_PER_PAGE) return null;
  return (
    <nav className={classes.pages} aria-label="More pages">
      <SectionLink section="browse">Back to the search</SectionLink>
      {!isEnd && (
        <Link {...toPage(params, { after: last.id })}>
          Jump to {describeRange(end + 1, Math.min(list.total, end + CARDS_PER_PAGE), list.total)}
        </Link>
      )}
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
  return { to: toBrowsePath({ ...toFirstPage(params), ...start }), onClick: focusContainer, ...toResults };
}
