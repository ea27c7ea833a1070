import { createRequiredContext } from './required-context.ts';

export type Toast = { title: string; message: string; variant?: 'default' | 'destructive' };

/** Shows a toast; it replaces the current one. */
export type ShowToast = (toast: Toast) => void;

export const [ToastContext, useToast] = createRequiredContext<ShowToast>('ToastContext');
