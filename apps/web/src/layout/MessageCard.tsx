import { Button, Container, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import classes from './MessageCard.module.css';

type MessageCardProps = {
  title: string;
  text: string;
  /** Shown above the link home. */
  children?: ReactNode;
};

/** A page with a message and a link home. */
export function MessageCard({ title, text, children }: MessageCardProps) {
  return (
    <Container size="xs" py="xl">
      <div className={classes.card}>
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text c="var(--muted-text)" mt="sm" mb="xl">
          {text}
        </Text>
        {children}
        <Button component={Link} to="/">
          Back to all agents
        </Button>
      </div>
    </Container>
  );
}
