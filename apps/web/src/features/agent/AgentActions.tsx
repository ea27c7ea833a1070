import { toAgentPath, type Agent } from '@agent-registry/contracts';
import { Button, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyLink } from '../../components/CopyLink.tsx';
import { Icon } from '../../components/Icon.tsx';
import { KeepToggle } from '../../components/KeepToggle.tsx';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import { PopoverDialog } from '../../components/PopoverDialog.tsx';
import arrowUpRight from '../../icons/arrow-up-right.svg?raw';
import plugConnected from '../../icons/plug-connected.svg?raw';
import rosetteCheck from '../../icons/rosette-discount-check.svg?raw';
import classes from './AgentActions.module.css';

const lazyBadgeSnippets = createLazyComponent(
  async () => (await import('../../components/BadgeSnippets.tsx')).BadgeSnippets,
);
const BADGE_ID = 'badge';

export type AgentActionsProps = {
  agent: Agent;
  ownerAction?: ReactNode;
  /** Whether only its owner sees it: others can show no badge of it, keep and report nothing. */
  isHeld?: boolean;
};

/** The actions of an agent's page, of which the first one is filled; on phones the first ones are a bar at the foot of the screen. */
export function AgentActions({ agent, ownerAction, isHeld = false }: AgentActionsProps) {
  const website = toWebsiteLink(agent.website);
  const isBare = !agent.connections && !website;
  const contact = (
    <Button component="a" size="md" href={toMailLink(agent.contactEmail)}>
      Contact Agent Owner
    </Button>
  );
  return (
    <div className={classes.actions}>
      <div className={classes.bar} data-bar>
        {ownerAction}
        {agent.connections && (
          <Button component="a" size="md" href="#connect" leftSection={toIcon(plugConnected)}>
            Connect
          </Button>
        )}
        {website && (
          <Button
            component="a"
            size="md"
            href={website}
            target="_blank"
            rel="ugc nofollow noopener noreferrer"
            rightSection={toIcon(arrowUpRight)}
          >
            Visit Website
          </Button>
        )}
        {isBare && contact}
      </div>
      {!isBare && contact}
      <div className={classes.tools}>
        {!isHeld && <KeepToggle agent={agent} />}
        <CopyLink path={toAgentPath(agent.id)} isIcon />
        {!isHeld && <BadgeButton id={agent.id} />}
      </div>
    </div>
  );
}

function toIcon(svg: string): ReactNode {
  return <Icon svg={svg} size={18} />;
}

function BadgeButton({ id }: { id: string }) {
  return (
    <>
      <UnstyledButton className="needs-scripts" popoverTarget={BADGE_ID} aria-label="Badge" data-tooltip="Badge">
        {toIcon(rosetteCheck)}
      </UnstyledButton>
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
