import { createRequiredContext } from './required-context.ts';

export type Toast = { title: string; message: string; variant?: 'default' | 'destructive' };

/** Shows a toast; it replaces the current one. */
export const [ToastContext, useToast] = createRequiredContext<(toast: Toast) => void>('ToastContext');

/** Only the latest toast is open, or dismissed and kept. */
export type Toasts = {
  latest: (Toast & { id: string }) | undefined;
  isOpen: boolean;
  isHovered: boolean;
  /** The focused part: the viewport itself or a control of the toast. */
  focused: 'viewport' | 'toast' | undefined;
};
