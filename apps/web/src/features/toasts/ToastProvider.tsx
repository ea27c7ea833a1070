import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { LazyBoundary } from '../../lazy/LazyBoundary.tsx';
import { toaster } from '../../lazy/lazy-components.ts';
import { ToastContext, type Toast } from './toast-context.ts';
import classes from './ToastProvider.module.css';

/** How long what is to be read out stands in the document, in milliseconds: it is there to be heard, not to be found. */
const READ_OUT = 1_000;

/** Gives the components below the way to show a toast; the toasts themselves come with the first one. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [latest, setLatest] = useState<Toast & { number: number }>();
  // Of each call one's own, so that the same toast is shown and read out again.
  const [show] = useState(
    () => (toast: Toast) => setLatest((before) => ({ ...toast, number: (before?.number ?? 0) + 1 })),
  );
  const [lastRead, setLastRead] = useState(0);
  const number = latest?.number ?? 0;
  useEffect(() => {
    const timer = window.setTimeout(() => setLastRead(number), READ_OUT);
    return () => window.clearTimeout(timer);
  }, [number]);
  return (
    <ToastContext value={show}>
      {children}
      {/* It stands here before there is a toast, or the first would not be read out. An alert is, wherever it comes. */}
      <VisuallyHidden aria-live="polite">
        {latest?.variant === 'default' && number !== lastRead && (
          <span key={number}>
            {latest.title} {latest.message}
          </span>
        )}
      </VisuallyHidden>
      {latest && (
        <LazyBoundary
          load={toaster.load}
          fallback={null}
          failure={`${latest.title} ${latest.message}`}
          failureClass={classes.failure}
        >
          <toaster.Component latest={latest} />
        </LazyBoundary>
      )}
    </ToastContext>
  );
}
