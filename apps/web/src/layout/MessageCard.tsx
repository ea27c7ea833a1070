import { Button, Container, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import classes from './MessageCard.module.css';

/** A page that has only something to say, and a way home. */
export function MessageCard({ title, text }: { title: string; text: string }) {
  return (
    <Container size="xs" py="xl">
      <div className={classes.card}>
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text c="var(--muted-text)" mt="sm" mb="xl">
          {text}
        </Text>
        <Button component={Link} to="/">
          Back to all agents
        </Button>
      </div>
    </Container>
  );
}
