import { describeList, getCategory, MAX_PASTE_LENGTH, MAX_SEARCH_LENGTH, PASTED_HASH } from '@agent-registry/contracts';
import { Button, Container, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { focusContainer } from '../../components/focus-container.ts';
import { Notice } from '../../components/Notice.tsx';
import { HighlightContext } from '../../components/HighlightedText.tsx';
import { SEARCH_BOX_ID, SearchField, PASTE_PATH } from '../../components/SearchField.tsx';
import { linkAsButton } from '../../navigation/SectionLink.tsx';
import { useSiteConfig } from '../../lib/site.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { ListLink } from '../../navigation/ListLink.tsx';
import classes from './Browse.module.css';
import { CategoryFilter } from './CategoryFilter.tsx';
import { ActiveFilters, Filters, SortSelect } from './Filters.tsx';
import { Results } from './Results.tsx';
import { useList, type List } from './use-list.ts';

const TELLING_WORDS = 'Your text is long, so its most telling words are searched for';

/** @param props.chosen agents that visitors have chosen, in place of a list */
export function Browse({ chosen }: { chosen?: ReactNode }) {
  return (
    <section id="browse" tabIndex={-1} aria-labelledby="browse-title">
      <div className={`ink ${classes.ask}`}>
        <Container size="lg">
          <SearchField
            id={SEARCH_BOX_ID}
            size="md"
            className={`white ${classes.search}`}
            placeholder="Search agents by name, description, or capabilities..."
          >
            <Button type="submit" size="md" variant={chosen ? 'default' : 'filled'}>
              Search
            </Button>
          </SearchField>
          <LongText />
        </Container>
      </div>
      {chosen ? (
        <Container size="lg" id="results" className={classes.results}>
          <Heading />
          {chosen}
        </Container>
      ) : (
        <AgentList />
      )}
    </section>
  );
}

function Heading({ children }: { children?: ReactNode }) {
  return (
    <div className={classes.heading}>
      <Title order={2} size="h3" id="browse-title">
        Browse Agents
      </Title>
      {children}
    </div>
  );
}

function AgentList() {
  const { categories } = useSiteConfig();
  const list = useList();
  const { params, agents, understood } = list;
  return (
    <>
      <div className={`ink ${classes.bar}`}>
        <Container size="lg" className={classes.controls}>
          <CategoryFilter />
          <Filters list={agents && list} />
          <SortSelect className={classes.sort} />
        </Container>
      </div>
      <Container size="lg" id="results" className={classes.results}>
        <Heading>
          <div className={classes.said}>
            <p className={classes.count} dir="auto" data-tooltip-if-cut>
              {agents ? describeList(list, params, categories) : '…'}
            </p>
            <Messages list={list} />
          </div>
          <ActiveFilters understood={understood} />
          <ViewSwitch />
        </Heading>
        {/* A new element for each search: the hash means the first one. */}
        <Notice key={params.text} hash={PASTED_HASH}>
          {`${TELLING_WORDS}.`}
        </Notice>
        <HighlightContext value={list.words}>
          <Results list={list} />
        </HighlightContext>
      </Container>
    </>
  );
}

/** What a visitor should know of the search. Always rendered: a live region announces changes of its text only. */
function Messages({ list: { params, correction, understood } }: { list: List }) {
  const { categories } = useSiteConfig();
  const { category, text } = params;
  return (
    <div aria-live="polite" aria-atomic className={classes.messages}>
      {category && text && (
        <p>
          <bdi>‘{text}’</bdi> is not used while {getCategory(categories, category).name} is chosen.{' '}
          <ListLink {...linkAsButton} change={{ category: undefined }} onClick={focusContainer}>
            Search all agents for &apos;{text}&apos;
          </ListLink>
        </p>
      )}
      {understood !== undefined && Array.from(text).length > MAX_SEARCH_LENGTH && (
        <p>
          {TELLING_WORDS}: <bdi>{understood}</bdi>
        </p>
      )}
      {correction !== undefined && (
        <p>
          Showing results for ‘<strong>{correction}</strong>’.{' '}
          <ListLink change={{ correct: false }} onClick={focusContainer}>
            Search instead for ‘{text}’
          </ListLink>
        </p>
      )}
    </div>
  );
}

function ViewSwitch() {
  const { chosen } = useChosenList();
  return (
    <div role="group" aria-label="View" className={classes.views}>
      {([undefined, 'rows'] as const).map((view) => (
        <ListLink
          key={view ?? 'cards'}
          {...linkAsButton}
          change={{ view }}
          aria-pressed={chosen.view === view}
          // The Tab key stops at the other view.
          tabIndex={chosen.view === view ? -1 : 0}
        >
          {view ? 'Rows' : 'Cards'}
        </ListLink>
      ))}
    </div>
  );
}

/** A form for a text that is too long for the search box. With scripts, the box takes it. */
function LongText() {
  return (
    <details className={`without-scripts ${classes.long}`}>
      <summary>Search with a longer text</summary>
      <form method="post" action={PASTE_PATH}>
        <textarea name="q" rows={4} maxLength={MAX_PASTE_LENGTH} aria-label="Longer text" required />
        <button type="submit" className="pill">
          Search with this text
        </button>
      </form>
    </details>
  );
}
