import { useState, type ReactNode } from 'react';
import { PartBoundary } from '../../parts/PartBoundary.tsx';
import { toaster } from '../../parts/parts.ts';
import { ToastContext, type Toast } from './toast-context.ts';

/** Gives the components below the way to show a toast; the toasts themselves come with the first one. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [latest, setLatest] = useState<Toast>();
  // Of each call one's own, so that the same toast is shown again.
  const [show] = useState(() => (toast: Toast) => setLatest({ ...toast }));
  return (
    <ToastContext value={show}>
      {children}
      {latest && (
        <PartBoundary load={toaster.load} fallback={null} failure={`${latest.title} ${latest.message}`}>
          <toaster.Part latest={latest} />
        </PartBoundary>
      )}
    </ToastContext>
  );
}
