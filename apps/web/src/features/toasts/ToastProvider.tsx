import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { LazyBoundary } from '../../lazy/LazyBoundary.tsx';
import { lazyToaster } from './lazy-toaster.ts';
import { ToastContext, type Toast } from './toast-context.ts';
import classes from './ToastProvider.module.css';

/** How long the announced text stays in the document, in milliseconds. */
const ANNOUNCEMENT_DURATION = 1_000;

/** Provides `useToast`, announces toasts to screen readers, and loads the toaster with the first toast. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [latest, setLatest] = useState<Toast & { number: number }>();
  // Numbered, so that the same toast is shown and announced again.
  const [show] = useState(
    () => (toast: Toast) => setLatest((before) => ({ ...toast, number: (before?.number ?? 0) + 1 })),
  );
  const [lastAnnounced, setLastAnnounced] = useState(0);
  const number = latest?.number ?? 0;
  useEffect(() => {
    const timer = window.setTimeout(() => setLastAnnounced(number), ANNOUNCEMENT_DURATION);
    return () => window.clearTimeout(timer);
  }, [number]);
  return (
    <ToastContext value={show}>
      {children}
      {/* Rendered before the first toast, or a screen reader would miss it. An alert is announced without that. */}
      <VisuallyHidden aria-live="polite">
        {latest?.variant === 'default' && number !== lastAnnounced && (
          <span key={number}>
            {latest.title} {latest.message}
          </span>
        )}
      </VisuallyHidden>
      {latest && (
        <LazyBoundary
          load={lazyToaster.load}
          fallback={null}
          failure={`${latest.title} ${latest.message}`}
          failureClass={classes.failure}
        >
          <lazyToaster.Component latest={latest} />
        </LazyBoundary>
      )}
    </ToastContext>
  );
}
