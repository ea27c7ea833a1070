import { createRequiredContext } from '../../components/required-context.ts';

/** A message to the visitor. */
export type Toast = { title: string; message: string; variant: 'default' | 'destructive' };

/** Shows a toast in place of the one that is showing. */
export type ShowToast = (toast: Toast) => void;

/** Gives the components below a provider the function that shows a toast, and reads it. */
export const [ToastContext, useToast] = createRequiredContext<ShowToast>('toasts');
