import { Anchor, Container, Text, Title } from '@mantine/core';
import classes from './Browse.module.css';
import { CategoryFilter } from './CategoryFilter.tsx';
import { Results } from './Results.tsx';
import { SearchBox } from './SearchBox.tsx';
import { useBrowse } from './use-browse.ts';

/** The part of the home page where agents are searched, filtered and listed. */
export function Browse() {
  const { category, text, results, toggleCategory, search, searchAll } = useBrowse();
  return (
    <section id="browse" tabIndex={-1} aria-labelledby="browse-title" className={classes.section}>
      <Container size="lg">
        <Title order={2} id="browse-title">
          Browse Agents
        </Title>
        <div className={classes.controls}>
          <SearchBox key={category} text={text} onSearch={search} />
          <CategoryFilter active={category} onToggle={toggleCategory} />
        </div>
        {category && text && (
          <Text size="sm" mb="md">
            <Anchor component="button" type="button" size="sm" className={classes.searchAll} onClick={searchAll}>
              Search all agents for ‘{text}’
            </Anchor>
          </Text>
        )}
        <Results key={`${category ?? ''} ${text}`} list={results} isFiltered={!!category || !!text} />
      </Container>
    </section>
  );
}
