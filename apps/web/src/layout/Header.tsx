import { Burger, Button, Container, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Brand } from './Brand.tsx';
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx';
import classes from './Header.module.css';
import { NavDrawer } from './NavDrawer.tsx';
import { SectionLink } from './SectionLink.tsx';
import { sectionLinks } from './section-links.ts';

/** The navigation bar at the top of every page. */
export function Header() {
  const [isMenuOpen, menu] = useDisclosure(false);
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
            <Button component={SectionLink} section="register" visibleFrom="sm">
              Register Agent
            </Button>
            <Burger
              hiddenFrom="sm"
              size="sm"
              opened={isMenuOpen}
              onClick={menu.open}
              aria-label="Open menu"
              aria-expanded={isMenuOpen}
              aria-haspopup="dialog"
            />
          </Group>
        </Group>
      </Container>
      <NavDrawer opened={isMenuOpen} onClose={menu.close} />
    </header>
  );
}
