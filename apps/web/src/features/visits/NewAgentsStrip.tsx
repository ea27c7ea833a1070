import { FEED_PATH, formatCount, toFeedPath, toFirstPage } from '@agent-registry/contracts';
import { CloseButton } from '@mantine/core';
import sparkles from '../../icons/sparkles.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/trpc.ts';
import { focusContainer } from '../../components/focus-container.ts';
import { useToday } from '../../components/use-today.ts';
import { writeStored } from '../../lib/storage.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { ListLink } from '../../navigation/ListLink.tsx';
import classes from './NewAgentsStrip.module.css';
import { VISIT_KEY, type Visit } from './visit.ts';

type NewAgentsStripProps = {
  visit: Visit;
  /** The UTC day of the visit before. */
  since: string;
};

/** How many agents are new since the last visit, the list of them and its feed; empty while there is none. */
export function NewAgentsStrip({ visit, since }: NewAgentsStripProps) {
  const { chosen } = useChosenList();
  const today = useToday();
  // The list of them asks for the same facets.
  const count = useQuery(useApi().queries.agents.facets.queryOptions({ since })).data?.total ?? 0;
  return (
    <div className={classes.strip} data-news={count > 0 || undefined}>
      {count > 0 && <Icon svg={sparkles} size={16} className={classes.icon} aria-hidden />}
      {/* Always rendered: a live region announces changes of its text only. */}
      <p role="status" className={classes.text}>
        {count > 0 && (
          <>
            <strong>
              {formatCount(count)} new <span className={classes.long}>{count === 1 ? 'agent' : 'agents'}</span>
            </strong>{' '}
            since <span className={classes.long}>your last visit on</span> {describeVisit(since, today)}
          </>
        )}
      </p>
      {count > 0 && (
        <>
          <ListLink list={{ ...toFirstPage(chosen), since }} onClick={focusContainer}>
            Show <span className={classes.long}>only these</span>
          </ListLink>
          <a href={toFeedPath(FEED_PATH, { since })} className={classes.feed}>
            Follow the feed
          </a>
          <CloseButton
            size="sm"
            iconSize={16}
            className={classes.close}
            aria-label="Hide until your next visit"
            onClick={(event) => {
              focusContainer(event);
              writeStored(VISIT_KEY, { ...visit, isHidden: true });
            }}
          />
        </>
      )}
    </div>
  );
}

/** The day of a visit, with its year if that is another one. */
function describeVisit(day: string, today: string): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return new Date(day).toLocaleDateString('en-US', {
    month: 'long',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  });
}
