import { describeList, getCategory, PASTED_HASH, toFirstPage } from '@agent-registry/contracts';
import { Anchor, Container, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CardAction } from '../../components/AgentCard.tsx';
import { focusContainer } from '../../components/focus-container.ts';
import { Notice } from '../../components/Notice.tsx';
import { HighlightContext } from '../../components/HighlightedText.tsx';
import type { SearchFieldProps } from '../../components/SearchField.tsx';
import { linkAsButton } from '../../lib/link-as-button.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import { ListLink } from '../../navigation/ListLink.tsx';
import classes from './Browse.module.css';
import { CategoryFilter } from './CategoryFilter.tsx';
import { ActiveFilters } from './ActiveFilters.tsx';
import { Filters } from './Filters.tsx';
import { Results } from './Results.tsx';
import { SearchBox } from './SearchBox.tsx';
import { SortSelect } from './SortSelect.tsx';
import { useBrowse, type Browsed } from './use-browse.ts';
import { useLightDismiss } from './use-light-dismiss.ts';
import { ViewSwitch } from './ViewSwitch.tsx';

type BrowseProps = Pick<SearchFieldProps, 'suggestions'> & {
  /** Shown at the end of the empty search box. */
  searchHint?: ReactNode;
  CardAction?: CardAction | undefined;
  /** Shown after the count. */
  news?: ReactNode;
  /** Shown in place of the list. */
  comparison?: ReactNode;
};

/** The browse section of the home page: search box, filters and results, or a comparison. */
export function Browse({ comparison, searchHint, suggestions, CardAction, news }: BrowseProps) {
  const browsed = useBrowse(!comparison);
  return (
    <section id="browse" tabIndex={-1} aria-labelledby="browse-title" className={classes.section}>
      <Container size="lg">
        <SearchBox hint={searchHint} suggestions={suggestions} />
      </Container>
      {comparison ? (
        <Container size="lg" id="results" className={classes.results} pt="sm">
          <Heading />
          {comparison}
        </Container>
      ) : (
        <List {...browsed} CardAction={CardAction} news={news} />
      )}
    </section>
  );
}

function Heading({ children }: { children?: ReactNode }) {
  return (
    <div className={classes.heading}>
      <Title order={2} id="browse-title">
        Browse Agents
      </Title>
      {children}
    </div>
  );
}

function List({ params, list, CardAction, news }: Browsed & Pick<BrowseProps, 'CardAction' | 'news'>) {
  useLightDismiss();
  const { categories } = useSiteConfig();
  const { category, text } = params;
  const firstPage = toFirstPage(params);
  const { agents, correction, words } = list;
  return (
    <>
      <div className={classes.bar}>
        <Container size="lg" className={classes.controls}>
          <CategoryFilter />
          <Filters total={agents && list.total} />
          <SortSelect className={classes.sort} />
        </Container>
      </div>
      <Container size="lg" id="results" className={classes.results}>
        <Heading>
          <p className={classes.count} dir="auto">
            {agents ? describeList(list.total, params, categories) : '…'}
            {news}
          </p>
          <ViewSwitch />
        </Heading>
        {/* A new element for each search: the hash means the first one. */}
        <Notice key={text} hash={PASTED_HASH}>
          Your text is long, so its most telling words are searched for.
        </Notice>
        <ActiveFilters understood={list.understood} />
        {/* Always rendered: a live region announces changes of its text only. */}
        <div aria-live="polite" aria-atomic>
          {category && text && (
            <Text size="sm" mb="sm" className={classes.message}>
              <bdi>‘{text}’</bdi> is not used while {getCategory(categories, category).name} is chosen.{' '}
              <Anchor
                component={ListLink}
                {...linkAsButton}
                list={{ ...firstPage, category: undefined }}
                onClick={focusContainer}
                size="sm"
                underline="always"
                className={classes.searchAll}
              >
                Search all agents for &apos;{text}&apos;
              </Anchor>
            </Text>
          )}
          {correction !== undefined && (
            <Text size="sm" mb="sm">
              Showing results for ‘<strong>{correction}</strong>’.{' '}
              <Anchor
                component={ListLink}
                list={{ ...firstPage, correct: false }}
                onClick={focusContainer}
                size="sm"
                underline="always"
              >
                Search instead for ‘{text}’
              </Anchor>
            </Text>
          )}
        </div>
        <HighlightContext value={words}>
          <Results list={list} params={params} CardAction={CardAction} />
        </HighlightContext>
      </Container>
    </>
  );
}
