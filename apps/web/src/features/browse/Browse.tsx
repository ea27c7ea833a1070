import { Anchor, Container, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { focusContainer } from '../../components/focus-container.ts';
import { matchesAllWords, parseQueryWords } from '../../components/highlight.ts';
import { HighlightContext } from '../../components/HighlightedText.tsx';
import { linkAsButton } from '../../components/link-as-button.ts';
import { keepScroll } from '../../navigation/location-state.ts';
import classes from './Browse.module.css';
import { CategoryFilter } from './CategoryFilter.tsx';
import { Results } from './Results.tsx';
import { SearchBox } from './SearchBox.tsx';
import { useBrowse } from './use-browse.ts';

/** The browse section of the home page: search box, category filter and results. */
export function Browse() {
  const { params, list, toggleCategoryPath, searchAllPath, search } = useBrowse();
  const { category, text } = params;
  const { agents, correction } = list;
  const typedWords = category ? [] : parseQueryWords(text);
  const words = correction === undefined ? typedWords : [...typedWords, ...parseQueryWords(correction)];
  const isFoundAsTyped = agents?.[0] !== undefined && matchesAllWords(agents[0], typedWords);
  return (
    <section id="browse" tabIndex={-1} aria-labelledby="browse-title" className={classes.section}>
      <Container size="lg">
        <Title order={2} id="browse-title">
          Browse Agents
        </Title>
        <div className={classes.controls}>
          <SearchBox text={text} category={category} onSearch={search} />
          <CategoryFilter selected={category} togglePath={toggleCategoryPath} />
        </div>
        {category && text && (
          <Text size="sm" mb="md">
            <Anchor
              component={Link}
              {...linkAsButton}
              to={searchAllPath}
              onClick={focusContainer}
              {...keepScroll}
              size="sm"
              className={classes.searchAll}
            >
              Search all agents for &apos;{text}&apos;
            </Anchor>
          </Text>
        )}
        {/* Always rendered: a live region announces changes of its text only. */}
        <div aria-live="polite" aria-atomic>
          {correction !== undefined && (
            <Text mb="md">
              Showing results for {isFoundAsTyped && <>‘{text}’ and </>}‘<strong>{correction}</strong>’
            </Text>
          )}
        </div>
        <HighlightContext value={words}>
          <Results list={list} params={params} />
        </HighlightContext>
      </Container>
    </section>
  );
}
