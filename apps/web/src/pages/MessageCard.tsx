import { toBrowsePath } from '@agent-registry/contracts';
import { Button, Container, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { CategoryLine } from '../components/CategoryIcon.tsx';
import { SearchField } from '../components/SearchField.tsx';
import { useSiteConfig } from '../lib/site.ts';
import classes from './MessageCard.module.css';
import {
  describeInvalid,
  describePageNotFound,
  PageHead,
  type InvalidPart,
  type PageDescription,
} from './page-head.tsx';

type MessageCardProps = {
  /** Its description is the message. */
  head: PageDescription;
  title: string;
  children?: ReactNode;
};

export function MessageCard({ head, title, children }: MessageCardProps) {
  const { categories } = useSiteConfig();
  return (
    <Container size="sm" py="xl">
      <PageHead {...head} />
      <div className={classes.card}>
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text c="var(--muted-text)" mt="xs" mb="lg">
          {head.description}
        </Text>
        {children}
        <SearchField size="md" label="All agents" className={classes.search} placeholder="Search agents...">
          <Button type="submit" size="md" variant="default">
            Search
          </Button>
        </SearchField>
        <ul className={classes.categories}>
          {categories.map(({ id }) => (
            <li key={id}>
              <Link to={toBrowsePath({ category: id })} className="pill">
                <CategoryLine category={id} />
              </Link>
            </li>
          ))}
        </ul>
        <Button component={Link} to="/" size="md" variant={children ? 'default' : 'filled'}>
          Back to all agents
        </Button>
      </div>
    </Container>
  );
}

/** The page at an address with a list that cannot be, such as an unknown order, or with an unknown category or form. */
export function InvalidPage({ part }: { part: InvalidPart }) {
  return <MessageCard head={describeInvalid(part, useSiteConfig())} title={`No Such ${part}`} />;
}

export function NotFoundPage() {
  return <MessageCard head={describePageNotFound(useSiteConfig())} title="404 Page Not Found" />;
}
