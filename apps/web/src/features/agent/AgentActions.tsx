import type { Agent } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import arrowUpRight from '../../icons/arrow-up-right.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import type { ReactNode } from 'react';
import classes from './AgentActions.module.css';
import { toMailLink, toWebsiteLink } from './links.ts';

/** The properties of `AgentActions`. */
export type AgentActionsProps = {
  agent: Agent;
  /** The action of its owner, which comes first. */
  ownerAction?: ReactNode;
};

/** The actions of an agent's page; on phones they are a bar at the bottom of the screen. */
export function AgentActions({ agent, ownerAction }: AgentActionsProps) {
  const website = toWebsiteLink(agent.website);
  const contact = (
    <Button component="a" href={toMailLink(agent.contactEmail)} size="md" variant={ownerAction ? 'default' : 'filled'}>
      Contact Agent Owner
    </Button>
  );
  return (
    <div className={classes.actions} data-bar>
      {ownerAction ?? contact}
      {website && (
        <Button
          component="a"
          href={website}
          target="_blank"
          rel="ugc nofollow noopener noreferrer"
          variant="default"
          size="md"
          rightSection={<Icon svg={arrowUpRight} size={18} strokeWidth={1.7} aria-hidden />}
        >
          Visit Website
        </Button>
      )}
      {ownerAction && contact}
    </div>
  );
}
