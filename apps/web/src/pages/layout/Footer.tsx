import { API_REFERENCE_PATH, endpoints, FEED_PATH, OPENAPI_PATH, SKILL_PATH } from '@agent-registry/contracts';
import { Anchor, Container, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { CurlCommand } from '../../components/CopyCode.tsx';
import { useSiteConfig } from '../../lib/site.ts';
import { Brand } from './Brand.tsx';
import classes from './Footer.module.css';
import { SectionLink } from '../../navigation/SectionLink.tsx';

/** The footer of every page: a paragraph about the registry, and links. */
export function Footer() {
  const { pathname } = useLocation();
  const { name, about, copyright, footerLinks } = useSiteConfig();
  return (
    <footer id="about" tabIndex={-1} className={`ink ${classes.footer}`}>
      <Container size="lg">
        <div className={classes.columns}>
          <Stack gap="sm" maw={440}>
            <Group>
              <Brand />
            </Group>
            <Text size="sm" c="var(--muted-text)">
              {about ?? (
                <>
                  {name} is a public directory of AI agents, bots and automation tools. Anyone can browse it, anyone can
                  list an agent in a minute and without an account, and every entry can be read by programs through an
                  open API.
                </>
              )}
            </Text>
            {pathname === '/' && <CurlCommand path={endpoints['agents.list'].path} />}
          </Stack>
          <LinkList title="Platform">
            <FooterLink component={SectionLink} section="browse">
              Browse Agents
            </FooterLink>
            <FooterLink component={SectionLink} section="categories">
              Categories
            </FooterLink>
            <FooterLink component={SectionLink} section="register">
              Register Agent
            </FooterLink>
          </LinkList>
          <LinkList title="Support">
            <FooterLink href={API_REFERENCE_PATH}>API reference</FooterLink>
            <FooterLink href={OPENAPI_PATH}>API description</FooterLink>
            <FooterLink href={endpoints['agents.list'].path}>All agents as JSON</FooterLink>
            <FooterLink href={SKILL_PATH}>Skill for assistants</FooterLink>
            <FooterLink href={FEED_PATH}>Feed of new and changed agents</FooterLink>
            <FooterLink component={SectionLink} section="about">
              About
            </FooterLink>
          </LinkList>
          {footerLinks.length > 0 && (
            <LinkList title={name}>
              {footerLinks.map(({ label, url }) => (
                <FooterLink key={label} href={url}>
                  {label}
                </FooterLink>
              ))}
            </LinkList>
          )}
        </div>
        <Text size="sm" c="var(--muted-text)" className={classes.copyright}>
          {copyright ?? <>© 2024 {name}. All rights reserved.</>}
        </Text>
      </Container>
    </footer>
  );
}

const FooterLink = Anchor.withProps({ inherit: true, className: classes.link });

function LinkList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="nav" aria-label={title} gap={0} align="flex-start">
      <Text component="h2" fw={650} size="sm" mb="xxs">
        {title}
      </Text>
      {children}
    </Stack>
  );
}
