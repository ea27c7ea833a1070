import { CloseButton } from '@mantine/core';
import { useState, type ReactNode } from 'react';

type PopoverDialogProps = {
  /** The `popoverTarget` of the buttons that open it. */
  id: string;
  label: string;
  title?: string;
  className?: string | undefined;
  children: ReactNode;
};

/** A dialog that the browser opens, and whose content is rendered while it is open. */
export function PopoverDialog({ id, label, title, className, children }: PopoverDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div
      id={id}
      popover="auto"
      role="dialog"
      aria-label={label}
      className={className}
      onToggle={({ newState }) => setIsOpen(newState === 'open')}
    >
      {isOpen && title !== undefined && (
        <div className="dialog-head">
          <b>{title}</b>
          <CloseButton popoverTarget={id} popoverTargetAction="hide" aria-label="Close" />
        </div>
      )}
      {isOpen && children}
    </div>
  );
}
