import { randomId, useTimeout } from '@mantine/hooks';
import { useCallback, useState, type ReactNode } from 'react';
import { ToastContext, type Toast, type Toasts } from '../../lib/toast-context.ts';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import classes from './ToastProvider.module.css';

export const lazyToaster = createLazyComponent(async () => (await import('./Toaster.tsx')).Toaster);

/** How long the announced text stays in the document, in milliseconds. */
const ANNOUNCEMENT_DURATION = 1_000;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toasts>({
    latest: undefined,
    isOpen: false,
    isHovered: false,
    focused: undefined,
  });
  const change = useCallback((part: Partial<Toasts>) => setToasts((earlier) => ({ ...earlier, ...part })), []);
  const show = useCallback((toast: Toast) => {
    setToasts(({ isHovered, focused }) => ({
      latest: { ...toast, id: randomId() },
      isOpen: true,
      isHovered,
      // A focused control disappears with its toast, without a blur event.
      focused: focused === 'viewport' ? focused : undefined,
    }));
  }, []);
  const { latest } = toasts;
  const text = latest && `${latest.title} ${latest.message}`;
  return (
    <ToastContext value={show}>
      {children}
      {/* Rendered before the first toast, or a screen reader would miss it. An alert is announced without that. */}
      <div aria-live="polite" className="visually-hidden">
        {latest && latest.variant !== 'destructive' && <Announcement key={latest.id}>{text}</Announcement>}
      </div>
      {latest && (
        <lazyToaster.Component toasts={toasts} change={change} failure={text} failureClass={classes.failure} />
      )}
    </ToastContext>
  );
}

function Announcement({ children }: { children: ReactNode }) {
  const [isAnnounced, setIsAnnounced] = useState(false);
  useTimeout(() => setIsAnnounced(true), ANNOUNCEMENT_DURATION, { autoInvoke: true });
  return isAnnounced ? null : <span>{children}</span>;
}
