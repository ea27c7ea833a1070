import { Button, Drawer, Group, Stack } from '@mantine/core';
import { useRef } from 'react';
import classes from './NavDrawer.module.css';
import { SectionLink } from './SectionLink.tsx';
import { sectionLinks } from './section-links.ts';
import { scrollToSection, type SectionId } from './sections.ts';

/** The navigation on small screens: a drawer from the right that closes on a choice and then scrolls to it. */
export function NavDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const chosen = useRef<SectionId | null>(null);

  const choose = (section: SectionId) => {
    chosen.current = section;
    onClose();
  };
  // Only now: an open drawer holds the page still, and gives focus back to the menu button when it closes.
  const scrollToChosen = () => {
    if (chosen.current) scrollToSection(chosen.current);
    chosen.current = null;
  };

  return (
    <Drawer.Root opened={opened} onClose={onClose} onExitTransitionEnd={scrollToChosen} position="right" size={300}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body>
          {/* Not Drawer.Header: its element would be a second banner on the page. */}
          <Group justify="space-between" mb="md" mt="xs">
            <Drawer.Title fw={600}>Menu</Drawer.Title>
            <Drawer.CloseButton aria-label="Close menu" />
          </Group>
          <Stack component="nav" aria-label="Main" gap="xs">
            {sectionLinks.map(({ section, label }) => (
              <SectionLink key={section} section={section} className={classes.link} onClick={() => choose(section)}>
                {label}
              </SectionLink>
            ))}
            <Button component={SectionLink} section="register" mt="sm" onClick={() => choose('register')}>
              Register Agent
            </Button>
          </Stack>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
