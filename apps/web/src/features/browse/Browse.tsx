import { Anchor, Container, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { linkAsButton } from '../../components/link-as-button.ts';
import { focusContainer } from '../../components/focus-container.ts';
import { HighlightContext } from '../../components/HighlightedText.tsx';
import { keepScroll } from '../../navigation/use-scroll-restoration.ts';
import { matchesAllWords, parseQueryWords } from '../../components/highlight.ts';
import classes from './Browse.module.css';
import { CategoryFilter } from './CategoryFilter.tsx';
import { Results } from './Results.tsx';
import { SearchBox } from './SearchBox.tsx';
import { useBrowse } from './use-browse.ts';

/** The part of the home page where agents are searched, filtered and listed. */
export function Browse() {
  const { category, text, after, results, toToggled, search, toSearchAll } = useBrowse();
  const { agents, correction } = results;
  const written = category ? [] : parseQueryWords(text);
  const words = correction === undefined ? written : [...written, ...parseQueryWords(correction)];
  const isFoundAsWritten = agents?.[0] !== undefined && matchesAllWords(agents[0], written);
  return (
    <section id="browse" tabIndex={-1} aria-labelledby="browse-title" className={classes.section}>
      <Container size="lg">
        <Title order={2} id="browse-title">
          Browse Agents
        </Title>
        <div className={classes.controls}>
          <SearchBox text={text} category={category} onSearch={search} />
          <CategoryFilter active={category} toToggled={toToggled} />
        </div>
        {category && text && (
          <Text size="sm" mb="md">
            <Anchor
              component={Link}
              {...linkAsButton}
              to={toSearchAll}
              onClick={focusContainer}
              {...keepScroll}
              size="sm"
              className={classes.searchAll}
            >
              Search all agents for &apos;{text}&apos;
            </Anchor>
          </Text>
        )}
        {/* It stands here without a text too, or it would not be read out when it has one. */}
        <div aria-live="polite" aria-atomic>
          {correction !== undefined && (
            <Text mb="md">
              Showing results for {isFoundAsWritten && <>‘{text}’ and </>}‘<strong>{correction}</strong>’
            </Text>
          )}
        </div>
        <HighlightContext value={words}>
          <Results list={results} browseParams={{ category, text, after }} />
        </HighlightContext>
      </Container>
    </section>
  );
}
