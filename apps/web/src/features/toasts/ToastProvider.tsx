import { VisuallyHidden } from '@mantine/core';
import { randomId, useTimeout } from '@mantine/hooks';
import { useCallback, useReducer, useState, type ReactNode } from 'react';
import { noToasts, reduceToasts } from './reduce-toasts.ts';
import { ToastContext, type Toast } from '../../lib/toast-context.ts';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import classes from './ToastProvider.module.css';

export const lazyToaster = createLazyComponent(async () => (await import('./Toaster.tsx')).Toaster);

/** How long the announced text stays in the document, in milliseconds. */
const ANNOUNCEMENT_DURATION = 1_000;

/** Provides `useToast`, announces toasts to screen readers, and loads the toaster with the first toast. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, dispatch] = useReducer(reduceToasts, noToasts);
  const show = useCallback((toast: Toast) => dispatch({ type: 'show', toast: { ...toast, id: randomId() } }), []);
  const { latest } = toasts;
  const text = latest && `${latest.title} ${latest.message}`;
  return (
    <ToastContext value={show}>
      {children}
      {/* Rendered before the first toast, or a screen reader would miss it. An alert is announced without that. */}
      <VisuallyHidden aria-live="polite">
        {latest && latest.variant !== 'destructive' && <Announcement key={latest.id}>{text}</Announcement>}
      </VisuallyHidden>
      {latest && (
        <lazyToaster.Component toasts={toasts} dispatch={dispatch} failure={text} failureClass={classes.failure} />
      )}
    </ToastContext>
  );
}

/** A text in a live region until it was announced. */
function Announcement({ children }: { children: ReactNode }) {
  const [isAnnounced, setIsAnnounced] = useState(false);
  useTimeout(() => setIsAnnounced(true), ANNOUNCEMENT_DURATION, { autoInvoke: true });
  return isAnnounced ? null : <span>{children}</span>;
}
