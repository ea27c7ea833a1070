import { Burger, Container, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { LazyBoundary } from '../lazy/LazyBoundary.tsx';
import { SectionButton } from '../navigation/SectionButton.tsx';
import { SectionLink } from '../navigation/SectionLink.tsx';
import { sectionLinks } from '../navigation/section-links.ts';
import { Brand } from './Brand.tsx';
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx';
import classes from './Header.module.css';
import { lazyNavDrawer } from './lazy-nav-drawer.ts';

/** The navigation bar at the top of every page. */
export function Header() {
  const { key } = useLocation();
  const isWide = useMediaQuery('(min-width: 48em)');
  // The history entry at which the menu was opened: any navigation closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isMenuOpen = openedAt === key && !isWide;
  return (
    <header className={classes.header}>
      <Container size="lg" h="100%">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Brand />
          <Group component="nav" aria-label="Main" gap="xs" visibleFrom="sm" wrap="nowrap">
            {sectionLinks.map(({ section, label }) => (
              <SectionLink key={section} section={section} className={classes.link}>
                {label}
              </SectionLink>
            ))}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeSwitch />
            <SectionButton section="register" visibleFrom="sm">
              Register Agent
            </SectionButton>
            <Burger
              hiddenFrom="sm"
              className="needs-scripts"
              size="sm"
              opened={isMenuOpen}
              onClick={() => setOpenedAt(isMenuOpen ? null : key)}
              aria-label="Open menu"
              data-tooltip="Open menu"
              aria-expanded={isMenuOpen}
              aria-haspopup="dialog"
            />
          </Group>
        </Group>
      </Container>
      {openedAt !== null && (
        <LazyBoundary
          load={lazyNavDrawer.load}
          fallback={null}
          failure="The menu could not be loaded."
          failureClass={classes.failure}
        >
          <lazyNavDrawer.Component opened={isMenuOpen} onClose={() => setOpenedAt('')} />
        </LazyBoundary>
      )}
    </header>
  );
}
