import { Burger, Container, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Brand } from './Brand.tsx';
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx';
import classes from './Header.module.css';
import { LazyBoundary } from '../lazy/LazyBoundary.tsx';
import { navDrawer } from '../lazy/lazy-components.ts';
import { SectionButton } from '../navigation/SectionButton.tsx';
import { SectionLink } from '../navigation/SectionLink.tsx';
import { sectionLinks } from '../navigation/section-links.ts';

/** The navigation bar at the top of every page. */
export function Header() {
  const { key } = useLocation();
  const isWide = useMediaQuery('(min-width: 48em)');
  // The place in the history where the menu was opened; it is closed at every other.
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
          load={navDrawer.load}
          fallback={null}
          failure="The menu could not be loaded."
          failureClass={classes.failure}
        >
          <navDrawer.Component opened={isMenuOpen} onClose={() => setOpenedAt('')} />
        </LazyBoundary>
      )}
    </header>
  );
}
