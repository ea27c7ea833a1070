import { pricingModels, toAgentPath, type Agent } from '@agent-registry/contracts';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconExternalLink, IconMail } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CapabilityBadge } from '../../components/CapabilityBadge.tsx';
import { CategoryBadge } from '../../components/CategoryBadge.tsx';
import { CategoryIcon } from '../../components/CategoryIcon.tsx';
import classes from './AgentDetails.module.css';
import { CopyLink } from '../../components/CopyLink.tsx';
import { toMailLink, toWebsiteLink } from './links.ts';
import { Rating } from '../../components/Rating.tsx';

/** All data of an agent. */
export function AgentDetails({ agent }: { agent: Agent }) {
  const website = toWebsiteLink(agent.website);
  return (
    <article className={classes.layout}>
      <div className={classes.panel}>
        <Group gap="md" wrap="nowrap" align="flex-start">
          <CategoryIcon category={agent.category} size={56} />
          <Stack gap={8} className={classes.heading}>
            <Title order={1} dir="auto" className={classes.name}>
              {agent.name}
            </Title>
            <Group gap="sm">
              <CategoryBadge category={agent.category} />
              <Rating rating={agent.rating} reviewCount={agent.reviewCount} />
            </Group>
          </Stack>
        </Group>
        <Title order={2} size="h4" mt="xl" mb="xs">
          Description
        </Title>
        <Text dir="auto" className={classes.description}>
          {agent.description}
        </Text>
        <Title order={2} size="h4" mt="xl" mb="xs">
          Capabilities
        </Title>
        {agent.capabilities.length > 0 ? (
          <ul className={classes.capabilities}>
            {agent.capabilities.map((capability, index) => (
              <li key={index}>
                <CapabilityBadge capability={capability} size="lg" />
              </li>
            ))}
          </ul>
        ) : (
          <Text c="var(--muted-text)">None listed.</Text>
        )}
      </div>
      <div className={classes.panel}>
        <dl className={classes.facts}>
          <Fact label="Pricing Model">{pricingModels.find(({ value }) => value === agent.pricingModel)?.label}</Fact>
          <Fact label="API Access">{agent.apiAccess === 'yes' ? 'Available' : 'Not Available'}</Fact>
          <Fact label="Added">
            <time dateTime={agent.createdAt}>{describeDay(agent.createdAt)}</time>
          </Fact>
        </dl>
        <Stack gap="sm" mt="lg">
          <Button
            component="a"
            href={toMailLink(agent.contactEmail)}
            leftSection={<IconMail size={18} stroke={1.7} aria-hidden />}
          >
            Contact Agent Owner
          </Button>
          {website && (
            <Button
              component="a"
              href={website}
              target="_blank"
              rel="ugc nofollow noopener noreferrer"
              variant="default"
              leftSection={<IconExternalLink size={18} stroke={1.7} aria-hidden />}
            >
              Visit Website
            </Button>
          )}
          <CopyLink path={toAgentPath(agent.id)} />
        </Stack>
      </div>
    </article>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Formats a date in UTC, so that server and browser render the same. */
function describeDay(instant: string): string {
  return new Date(instant).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}
