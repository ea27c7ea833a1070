import { PUBLISH_SKILL_PATH, REGISTRATION_CLOSED } from '@agent-registry/contracts';
import { Container, Skeleton, Text, Title } from '@mantine/core';
import { useSite } from '../../lib/site.ts';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import { whenIdle } from '../../lib/when-idle.ts';
import classes from './Register.module.css';

/** It is below the fold and rendered on the server, so it is hydrated when the browser is idle. */
export const lazyRegisterForm = createLazyComponent(async () => {
  await whenIdle();
  return (await import('./RegisterForm.tsx')).RegisterForm;
});

const steps = [
  ['Start from an address', 'A website, a repository or an agent card: what is found there fills in the form.'],
  ['Check what visitors read', 'Searches find it by its name, description and capabilities.'],
  ['Prove that it is yours', 'A file on your website or in your repository puts a tick on every card.'],
];

export function Register() {
  const { registration } = useSite();
  const isClosed = registration === 'closed';
  const when = registration === 'held' ? 'after a review by the operator' : 'at once';
  return (
    <section id="register" tabIndex={-1} aria-labelledby="register-title" className={classes.section}>
      <Container size="lg" className="form-columns">
        <div>
          <Title order={2} id="register-title">
            Register Your Agent
          </Title>
          <Text c="var(--soft-text)" mt="xs">
            {isClosed ? (
              `${REGISTRATION_CLOSED}.`
            ) : (
              <>
                {`It takes a minute, needs no account, and is listed ${when}. An assistant can do it with `}
                <a href={PUBLISH_SKILL_PATH}>this skill</a>.
              </>
            )}
          </Text>
          {!isClosed && (
            <ol className={classes.steps}>
              {steps.map(([title, text]) => (
                <li key={title}>
                  <b>{title}</b>
                  {` ${text}`}
                </li>
              ))}
            </ol>
          )}
        </div>
        {!isClosed && (
          <lazyRegisterForm.Component fallback={<Skeleton height="50rem" />} failure="The form could not be loaded." />
        )}
      </Container>
    </section>
  );
}
