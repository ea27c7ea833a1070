import { PUBLISH_SKILL_PATH, REGISTRATION_CLOSED } from '@agent-registry/contracts';
import { Anchor, Container, Skeleton, Text, Title } from '@mantine/core';
import { useSite } from '../../lib/site.ts';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import { whenIdle } from '../../lib/when-idle.ts';
import classes from './Register.module.css';

/** It is below the fold and rendered on the server, so it is hydrated when the browser is idle. */
export const lazyRegisterForm = createLazyComponent(async () => {
  await whenIdle();
  return (await import('./RegisterForm.tsx')).RegisterForm;
});

/** The registration section of the home page: the form, or a sentence where registration is closed. */
export function Register() {
  const { registration } = useSite();
  return (
    <section id="register" tabIndex={-1} aria-labelledby="register-title" className={classes.section}>
      <Container size="lg">
        <Title order={2} id="register-title">
          Register Your Agent
        </Title>
        {registration === 'closed' ? (
          <Text mt="md">{REGISTRATION_CLOSED}.</Text>
        ) : (
          <>
            <Text c="var(--muted-text)" mt={4} mb="xl">
              It takes a minute, needs no account, and is listed{' '}
              {registration === 'held' ? 'after a review by the operator' : 'at once'}. An assistant can do it with{' '}
              <Anchor href={PUBLISH_SKILL_PATH} underline="always">
                this skill
              </Anchor>
              .
            </Text>
            <lazyRegisterForm.Component
              fallback={<Skeleton height="40rem" />}
              failure="The form could not be loaded."
            />
          </>
        )}
      </Container>
    </section>
  );
}
