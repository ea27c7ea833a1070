import { categories, MAX_SEARCH_LENGTH } from '@agent-registry/contracts';
import { Button, Container, Text, TextInput, Title } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { CategoryLine } from '../components/CategoryLine.tsx';
import { toBrowsePath } from '../navigation/browse-params.ts';
import classes from './MessageCard.module.css';

type MessageCardProps = {
  title: string;
  text: string;
  /** Shown above the ways on. */
  children?: ReactNode;
};

/** A page with a message and ways on: the home page, a search, the categories. */
export function MessageCard({ title, text, children }: MessageCardProps) {
  const navigate = useNavigate();
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('q') as string;
    void navigate(toBrowsePath({ text: typed.trim() }));
  };
  return (
    <Container size="sm" py="xl">
      <div className={classes.card}>
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text c="var(--muted-text)" mt="xs" mb="lg">
          {text}
        </Text>
        {children}
        <form role="search" aria-label="All agents" action="/" className={classes.search} onSubmit={search}>
          <TextInput
            type="search"
            name="q"
            size="md"
            className={classes.field}
            aria-label="Search all agents"
            placeholder="Search agents..."
            maxLength={MAX_SEARCH_LENGTH}
          />
          <Button type="submit" size="md" variant="default">
            Search
          </Button>
        </form>
        <ul className={classes.categories}>
          {categories.map(({ id }) => (
            <li key={id}>
              <Link to={toBrowsePath({ category: id })} className={classes.category}>
                <CategoryLine category={id} />
              </Link>
            </li>
          ))}
        </ul>
        <Button component={Link} to="/" size="md">
          Back to all agents
        </Button>
      </div>
    </Container>
  );
}
