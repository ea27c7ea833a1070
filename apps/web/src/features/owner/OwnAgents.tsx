import { toAgentPath } from '@agent-registry/contracts';
import { Container, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useOwnAgents } from '../../components/owner-keys.ts';
import classes from './OwnAgents.module.css';

/** The agents whose keys this browser keeps, if there are any. Below the form, so that nothing in view moves. */
export function OwnAgents() {
  const own = useOwnAgents();
  if (own.length === 0) return null;
  return (
    <section aria-labelledby="own-agents-title" className={classes.section}>
      <Container size="lg">
        <Title order={2} size="h3" id="own-agents-title">
          Your agents in this browser
        </Title>
        <ul className={classes.list}>
          {own.map(({ id, name, isHeld }) => (
            <li key={id}>
              <Link to={toAgentPath(id)} dir="auto">
                {name}
              </Link>
              {isHeld && ' (waits for review)'}
            </li>
          ))}
        </ul>
      </Container>
    </section>
  );
}
