import { CloseButton, Paper, Text } from '@mantine/core';
import { useDrag } from '@mantine/hooks';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { Toast } from './toast-context.ts';
import classes from './ToastMessage.module.css';

/** How far right a swipe dismisses a toast, in pixels. */
const TOAST_SWIPE_THRESHOLD = 50;

/** A toast; a swipe to the right dismisses it. */
export function ToastMessage({ toast, onDismiss }: { toast: Toast; onDismiss: () => void }) {
  const [offset, setOffset] = useState(0);
  const { ref } = useDrag<HTMLDivElement>(
    ({ movement: [x], last, canceled }) => {
      if (last && !canceled && x >= TOAST_SWIPE_THRESHOLD) return onDismiss();
      setOffset(last ? 0 : Math.max(0, x));
    },
    { axis: 'x', threshold: 5, filterTaps: true },
  );
  const Icon = toast.variant === 'destructive' ? IconAlertTriangle : IconCircleCheck;
  return (
    <Paper
      ref={ref}
      shadow="lg"
      p="md"
      className={classes.toast}
      data-variant={toast.variant}
      style={{ translate: `${offset}px` }}
    >
      <Icon size={22} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <Text fw={600} size="sm">
          {toast.title}
        </Text>
        <Text size="sm" className={classes.message}>
          {toast.message}
        </Text>
      </div>
      <CloseButton
        size="sm"
        aria-label="Dismiss notification"
        data-tooltip="Dismiss notification"
        onClick={onDismiss}
      />
    </Paper>
  );
}
