import { REGISTRATION_HELD, toAgentPath } from '@agent-registry/contracts';
import { Button, Group, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { Link } from 'react-router-dom';
import { CopyLink } from '../../components/CopyLink.tsx';
import { focusContainer } from '../../components/focus-container.ts';
import { KeepLink } from '../../components/KeepLink.tsx';
import type { OwnAgent } from '../../components/owner-keys.ts';
import classes from '../../components/agent-form/AgentForm.module.css';

type RegisteredPanelProps = {
  ref: RefObject<HTMLDivElement | null>;
  own: OwnAgent;
  onRegisterAnother: () => void;
};

/** Replaces the form after a registration. */
export function RegisteredPanel({ ref, own, onRegisterAnother }: RegisteredPanelProps) {
  const { isHeld } = own;
  return (
    <div ref={ref} tabIndex={-1} role="group" aria-labelledby="registered-title" className={classes.registered}>
      <IconCircleCheck size={40} stroke={1.6} className={classes.check} aria-hidden />
      <Title order={3} id="registered-title" className={classes.registeredTitle}>
        <bdi>{own.name}</bdi> is {isHeld ? 'registered' : 'listed'}
      </Title>
      <Text c="var(--muted-text)">{isHeld ? REGISTRATION_HELD : 'Everybody can find it now.'}</Text>
      <KeepLink own={own} />
      <Group gap="sm" mt="md" justify="center">
        {!isHeld && (
          <>
            <Button component={Link} to={toAgentPath(own.id)} size="md">
              View
            </Button>
            <CopyLink path={toAgentPath(own.id)} size="md" />
          </>
        )}
        <Button
          variant="default"
          size="md"
          onClick={(event) => {
            // The button is about to be removed.
            focusContainer({ currentTarget: event.currentTarget.closest('section') ?? event.currentTarget });
            onRegisterAnother();
          }}
        >
          Register another
        </Button>
      </Group>
    </div>
  );
}
