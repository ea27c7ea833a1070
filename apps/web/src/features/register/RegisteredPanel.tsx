import { REGISTRATION_HELD, toAgentPath, toManagePath } from '@agent-registry/contracts';
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { RefObject } from 'react';
import { Link } from 'react-router-dom';
import classes from '../../components/agent-form/AgentForm.module.css';
import { AgentMark } from '../../components/AgentMark.tsx';
import { BadgeSnippets } from '../../components/BadgeSnippets.tsx';
import { CopyLink } from '../../components/CopyLink.tsx';
import { focusContainer } from '../../components/focus-container.ts';
import { KeepLink } from '../../components/KeepLink.tsx';
import type { OwnAgent } from '../../components/owner-keys.ts';

type RegisteredPanelProps = { ref: RefObject<HTMLDivElement | null>; own: OwnAgent; onRegisterAnother: () => void };

export function RegisteredPanel({ ref, own, onRegisterAnother }: RegisteredPanelProps) {
  const { id, name, category = '', isHeld } = own;
  return (
    <Stack
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-labelledby="registered-title"
      className={`panel ${classes.form}`}
      p="md"
    >
      <Group wrap="nowrap">
        <AgentMark agent={{ id, name, category }} size="lg" />
        <div>
          <Title order={3} id="registered-title">
            <bdi>{name}</bdi> is {isHeld ? 'registered' : 'listed'}
          </Title>
          <Text c="var(--muted-text)">{isHeld ? REGISTRATION_HELD : 'Everybody can find it now.'}</Text>
        </div>
      </Group>
      <div className={classes.pairs}>
        <KeepLink own={own} />
        {isHeld && (
          <noscript>
            <Link to={toManagePath(id, 'edit')}>Edit it with the key at the end of this link</Link>
          </noscript>
        )}
        {!isHeld && (
          <Stack component="section" aria-labelledby="public-title" className="panel" p="sm" gap="sm">
            <Title order={4} size="h5" id="public-title">
              For everybody
            </Title>
            <Group gap="sm">
              <Button component={Link} to={toAgentPath(id)} size="md">
                View
              </Button>
              <CopyLink path={toAgentPath(id)} size="md" />
            </Group>
            <BadgeSnippets id={id} />
          </Stack>
        )}
      </div>
      {!isHeld && (
        <Text>
          Next:{' '}
          <Anchor component={Link} to={toManagePath(id, 'edit')} rel="nofollow">
            say how to connect
          </Anchor>
          , and{' '}
          <Anchor component={Link} to={toManagePath(id, 'key')} rel="nofollow">
            prove the website
          </Anchor>
          .
        </Text>
      )}
      <Group>
        <Button
          className="needs-scripts"
          variant="default"
          size="md"
          onClick={(event) => {
            focusContainer({ currentTarget: event.currentTarget.closest('section') ?? event.currentTarget });
            onRegisterAnother();
          }}
        >
          Register another
        </Button>
      </Group>
    </Stack>
  );
}
