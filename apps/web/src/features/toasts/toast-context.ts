import { createContext, use } from 'react';

/** A message to the visitor. */
export type Toast = { title: string; message: string; variant: 'default' | 'destructive' };

/** Shows a toast in place of the one that is showing. */
export type ShowToast = (toast: Toast) => void;

/** Gives the components below a provider the way to show a toast. */
export const ToastContext = createContext<ShowToast | null>(null);

/** The function that shows a toast. */
export function useToast(): ShowToast {
  const show = use(ToastContext);
  if (!show) throw new Error('useToast needs a ToastProvider above it.');
  return show;
}
