import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Drawer.css';
import { Drawer, Group, Stack, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { KeptLink } from '../../components/KeptLink.tsx';
import { useOwnAgents } from '../../components/owner-keys.ts';
import { SearchField } from '../../components/SearchField.tsx';
import classes from './NavDrawer.module.css';
import { SectionButton, SectionLink, sectionLinks } from '../../navigation/SectionLink.tsx';
import { lazyOwnAgents } from '../../features/owner/lazy-components.ts';

export function NavDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  // Mantine moves the focus into a drawer that opens, not into one that is mounted open.
  const isThere = useMounted();
  const ownCount = useOwnAgents().length;
  // After a choice the focus goes to the section. Mantine would return it to what has it when its effects run.
  const dismiss = () => {
    onClose();
    document.querySelector<HTMLElement>('header [aria-haspopup=dialog]')?.focus({ preventScroll: true });
  };
  return (
    <Drawer.Root
      opened={opened && isThere}
      onClose={dismiss}
      returnFocus={false}
      position="right"
      size="min(20rem, 100vw)"
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body>
          {/* Not Drawer.Header, which would be a second banner landmark. */}
          <Group justify="space-between" mb="md" mt="xs">
            <Drawer.Title fw={650}>Menu</Drawer.Title>
            <Drawer.CloseButton size="xl" aria-label="Close menu" />
          </Group>
          <SearchField label="Menu" size="md" placeholder="Search agents" onSearch={onClose} />
          <Stack component="nav" aria-label="Main" gap="xxs" mt="md">
            {sectionLinks.map(({ section, label }) => (
              <SectionLink key={section} section={section} className={classes.link} onClick={onClose}>
                {label}
              </SectionLink>
            ))}
            <KeptLink className={classes.link} onClick={onClose} />
            <SectionButton section="register" size="md" mt="sm" onClick={onClose}>
              Register Agent
            </SectionButton>
          </Stack>
          {ownCount > 0 && (
            <>
              <Text fw={650} mt="lg">
                Your agents {ownCount}
              </Text>
              <lazyOwnAgents.Component onChoose={onClose} failure="Your agents could not be loaded." />
            </>
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
