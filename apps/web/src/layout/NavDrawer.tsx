import { Drawer, Group, Stack } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';
import classes from './NavDrawer.module.css';
import { SectionButton } from '../navigation/SectionButton.tsx';
import { SectionLink } from '../navigation/SectionLink.tsx';
import { sectionLinks } from '../navigation/section-links.ts';

/** The navigation on small screens: a drawer from the right that closes on a choice. */
export function NavDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  // Focus goes back to the menu button, but not from a section that was chosen.
  const [hasChosen, setHasChosen] = useState(false);
  const [wasOpened, setWasOpened] = useState(opened);
  // Not while it is open, or Mantine takes down anew where focus is to go back to.
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setHasChosen(false);
  }
  // The drawer sees to the focus when it is opened, but not where it is there open at once.
  const isThere = useMounted();
  const choose = () => {
    setHasChosen(true);
    onClose();
  };

  return (
    <Drawer.Root opened={opened && isThere} onClose={onClose} returnFocus={!hasChosen} position="right" size={300}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body>
          {/* Not Drawer.Header: its element would be a second banner on the page. */}
          <Group justify="space-between" mb="md" mt="xs">
            <Drawer.Title fw={600}>Menu</Drawer.Title>
            <Drawer.CloseButton aria-label="Close menu" data-tooltip="Close menu" />
          </Group>
          <Stack component="nav" aria-label="Main" gap="xs">
            {sectionLinks.map(({ section, label }) => (
              <SectionLink key={section} section={section} className={classes.link} onClick={choose}>
                {label}
              </SectionLink>
            ))}
            <SectionButton section="register" mt="sm" onClick={choose}>
              Register Agent
            </SectionButton>
          </Stack>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
