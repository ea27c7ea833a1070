import { API_REFERENCE_PATH, endpoints, FEED_PATH, OPENAPI_PATH, SKILL_PATH } from '@agent-registry/contracts';
import { Container, Stack, Text } from '@mantine/core';
import { useLocation } from 'react-router-dom';
import { CurlCommand } from '../../components/CopyCode.tsx';
import { useSiteConfig } from '../../lib/site.ts';
import { SectionLink, type SectionId } from '../../navigation/SectionLink.tsx';
import { Brand } from './Brand.tsx';
import classes from './Footer.module.css';

type FooterLink = { label: string; section: SectionId } | { label: string; url: string };

const platform: FooterLink[] = [
  { label: 'Browse Agents', section: 'browse' },
  { label: 'Categories', section: 'categories' },
  { label: 'Register Agent', section: 'register' },
];
const support: FooterLink[] = [
  { label: 'API reference', url: API_REFERENCE_PATH },
  { label: 'API description', url: OPENAPI_PATH },
  { label: 'All agents as JSON', url: endpoints['agents.list'].path },
  { label: 'Skill for assistants', url: SKILL_PATH },
  { label: 'Feed of new and changed agents', url: FEED_PATH },
  { label: 'About', section: 'about' },
];

export function Footer() {
  const { pathname } = useLocation();
  const { name, about, copyright, footerLinks } = useSiteConfig();
  return (
    <footer id="about" tabIndex={-1} className={`ink ${classes.footer}`}>
      <Container size="lg">
        <div className={classes.columns}>
          <Stack gap="sm" maw={440} align="flex-start">
            <Brand />
            <Text size="sm" c="var(--muted-text)">
              {about ??
                `${name} is a public directory of AI agents, bots and automation tools. Anyone can browse it, anyone can list an agent in a minute and without an account, and every entry can be read by programs through an open API.`}
            </Text>
            {pathname === '/' && <CurlCommand path={endpoints['agents.list'].path} />}
          </Stack>
          <LinkList title="Platform" links={platform} />
          <LinkList title="Support" links={support} />
          {footerLinks.length > 0 && <LinkList title={name} links={footerLinks} />}
        </div>
        <Text size="sm" c="var(--muted-text)" mt="lg" pt="lg" className={classes.copyright}>
          {copyright ?? `© 2024 ${name}. All rights reserved.`}
        </Text>
      </Container>
    </footer>
  );
}

function LinkList({ title, links }: { title: string; links: readonly FooterLink[] }) {
  return (
    <Stack component="nav" aria-label={title} gap={0} align="flex-start">
      <Text component="h2" fw={650} size="sm" mb="xxs">
        {title}
      </Text>
      {links.map((link) =>
        'section' in link ? (
          <SectionLink key={link.label} section={link.section} className={classes.link}>
            {link.label}
          </SectionLink>
        ) : (
          <a key={link.label} href={link.url} className={classes.link}>
            {link.label}
          </a>
        ),
      )}
    </Stack>
  );
}
