import type { Agent } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import arrowUpRight from '../../icons/arrow-up-right.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import type { ReactNode } from 'react';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import { PopoverDialog } from '../../components/PopoverDialog.tsx';
import classes from './AgentActions.module.css';

const lazyBadgeSnippets = createLazyComponent(
  async () => (await import('../../components/BadgeSnippets.tsx')).BadgeSnippets,
);

const BADGE_ID = 'badge';

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
          rightSection={<Icon svg={arrowUpRight} size={18} />}
        >
          Visit Website
        </Button>
      )}
      {ownerAction && contact}
    </div>
  );
}

/** A button that shows the badge of an agent and its code in a dialog. */
export function BadgeButton({ id }: { id: string }) {
  return (
    <>
      <Button className="needs-scripts" variant="default" popoverTarget={BADGE_ID}>
        Badge
      </Button>
      <PopoverDialog id={BADGE_ID} label="Badge" title="Show this entry on your site" className={classes.dialog}>
        <lazyBadgeSnippets.Component id={id} failure="The badge could not be loaded." />
      </PopoverDialog>
    </>
  );
}

/** Builds a mailto link. Every character but the @ is encoded, so that an address cannot add headers. */
export function toMailLink(email: string): string {
  return `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
}

/** The website if it is safe to link to (a valid http or https address), else undefined. */
export function toWebsiteLink(website: string | null): string | undefined {
  return website && /^https?:\/\//i.test(website) && URL.canParse(website) ? website : undefined;
}
