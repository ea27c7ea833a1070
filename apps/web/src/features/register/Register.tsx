import { REGISTRATION_CLOSED } from '@agent-registry/contracts';
import { Container, Text, Title } from '@mantine/core';
import { useSite } from '../../site.ts';
import classes from './Register.module.css';
import { RegisterForm } from './RegisterForm.tsx';

/** The part of the home page where an owner registers an agent, or reads that nobody can at present. */
export function Register() {
  const { isRegistrationClosed } = useSite();
  return (
    <section id="register" tabIndex={-1} aria-labelledby="register-title" className={classes.section}>
      <Container size="sm">
        <Title order={2} id="register-title">
          Register Your Agent
        </Title>
        {isRegistrationClosed ? (
          <Text mt="md">{REGISTRATION_CLOSED}.</Text>
        ) : (
          <>
            <Text c="var(--muted-text)" mt={4} mb="xl">
              It takes a minute, needs no account, and is listed at once.
            </Text>
            <div className={classes.panel}>
              <RegisterForm />
            </div>
          </>
        )}
      </Container>
    </section>
  );
}
