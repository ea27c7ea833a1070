import type { Agent } from '@agent-registry/contracts';
import { Title } from '@mantine/core';
import { useOwnAgent } from '../../components/owner-keys.ts';
import { useWebsiteName } from '../../lib/site-config.ts';
import classes from './ClaimChoices.module.css';
import { ClaimForm } from './ClaimForm.tsx';
import { OwnKeyForm } from './OwnKeyForm.tsx';

/** The two ways in which a browser can become that of an agent's owner. */
export function ClaimChoices({ agent }: { agent: Agent }) {
  const own = useOwnAgent(agent.id);
  const site = useWebsiteName(agent.website);
  return (
    <div className={classes.choices}>
      {!own && (
        <section aria-labelledby="key-title" className={classes.choice}>
          <Title order={2} size="h4" id="key-title">
            I have the key or link
          </Title>
          <OwnKeyForm agent={agent} />
        </section>
      )}
      <section aria-labelledby="proof-title" className={classes.choice}>
        <Title order={2} size="h4" id="proof-title">
          Prove that <bdi>{site?.provable ?? 'it'}</bdi> is mine
        </Title>
        <ClaimForm agent={agent} />
      </section>
    </div>
  );
}
