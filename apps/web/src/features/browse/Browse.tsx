import { Anchor, Container, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { asButton } from '../../components/as-button.ts';
import { focusAround } from '../../components/focus-container.ts';
import { MarkedWordsContext } from '../../components/HighlightedText.tsx';
import { stayingInPlace } from '../../navigation/use-scroll-restoration.ts';
import { hasWords, readWords } from '../../components/highlight.ts';
import classes from './Browse.module.css';
import { CategoryFilter } from './CategoryFilter.tsx';
import { Results } from './Results.tsx';
import { SearchBox } from './SearchBox.tsx';
import { useBrowse } from './use-browse.ts';

/** The part of the home page where agents are searched, filtered and listed. */
export function Browse() {
  const { category, text, after, results, toToggled, search, toSearchAll } = useBrowse();
  const { agents, correction } = results;
  const written = category ? [] : readWords(text);
  const words = correction === undefined ? written : [...written, ...readWords(correction)];
  const isFoundAsWritten = agents?.[0] !== undefined && hasWords(agents[0], written);
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
              {...asButton}
              to={toSearchAll}
              onClick={focusAround}
              {...stayingInPlace}
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
        <MarkedWordsContext value={words}>
          <Results list={results} browsing={{ category, text, after }} />
        </MarkedWordsContext>
      </Container>
    </section>
  );
}
