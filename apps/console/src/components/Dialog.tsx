import { Group, Modal } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';

/** A modal dialog with a title, which returns the focus to where it was. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  useFocusOfOpener();
  return (
    <Modal.Root opened onClose={onClose} size="lg">
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          {/* Not Modal.Header, which would be a second banner landmark. */}
          <Group justify="space-between" wrap="nowrap" py="md">
            <Modal.Title fw={650}>{title}</Modal.Title>
            <Modal.CloseButton aria-label="Close" size="lg" />
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Returns the focus at the end: Mantine does so for dialogs that stay in the page. */
function useFocusOfOpener(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus();
    },
    [opener],
  );
}
