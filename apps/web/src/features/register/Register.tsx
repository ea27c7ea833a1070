import { REGISTRATION_CLOSED } from '@agent-registry/contracts';
import { Container, Skeleton, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { LazyBoundary } from '../../lazy/LazyBoundary.tsx';
import { registerForm } from '../../lazy/lazy-components.ts';
import { useSite } from '../../ssr/site.ts';
import { useFormState } from './form-state.ts';
import { readForm } from './form-values.ts';
import classes from './Register.module.css';

// One and the same element, so that React has no reason to look into it before its code is there.
const form = (
  <LazyBoundary load={registerForm.load} fallback={<Skeleton height="40rem" />} failure="The form could not be loaded.">
    <registerForm.Component />
  </LazyBoundary>
);

/** The part of the home page where an owner registers an agent, or reads that nobody can at present. */
export function Register() {
  const { isRegistrationClosed } = useSite();
  const memory = useFormState();
  const panel = useRef<HTMLDivElement>(null);

  // What is typed, be the code of the form there or not.
  useEffect(() => {
    const keep = ({ target }: Event) => {
      const typedInto = (target as HTMLInputElement).form;
      if (typedInto) memory.keep({ values: readForm(typedInto) });
    };
    const element = panel.current;
    element?.addEventListener('input', keep);
    return () => element?.removeEventListener('input', keep);
  }, [memory]);

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
            <div ref={panel} className={classes.panel}>
              {form}
            </div>
          </>
        )}
      </Container>
    </section>
  );
}
