import { createRequiredContext } from './required-context.ts';

/** A message to the visitor. */
export type Toast = { title: string; message: string; variant: 'default' | 'destructive' };

/** Shows a toast; it replaces the current one. */
export type ShowToast = (toast: Toast) => void;

/** Provides the function that shows toasts. */
export const [ToastContext, useToast] = createRequiredContext<ShowToast>('ToastContext');
