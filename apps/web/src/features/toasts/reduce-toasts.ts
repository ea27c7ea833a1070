import type { Toast } from '../../lib/toast-context.ts';

/** A toast that was shown; two with the same text differ in the id. */
export type ShownToast = Toast & { id: string };

/** The toasts: only the latest is open, or dismissed and kept. */
export type Toasts = {
  latest: ShownToast | undefined;
  isOpen: boolean;
  isHovered: boolean;
  /** The focused part: the viewport itself or a control of the toast. */
  focused: 'viewport' | 'toast' | undefined;
};

export type ToastEvent =
  | { type: 'show'; toast: ShownToast }
  | { type: 'dismiss' }
  | { type: 'reopen' }
  | { type: 'remove' }
  | { type: 'hover'; isHovered: boolean }
  | { type: 'focus'; focused: Toasts['focused'] };

export const noToasts: Toasts = { latest: undefined, isOpen: false, isHovered: false, focused: undefined };

export function reduceToasts(toasts: Toasts, event: ToastEvent): Toasts {
  switch (event.type) {
    case 'show':
      // A focused control disappears with its toast, without a blur event.
      return {
        ...toasts,
        latest: event.toast,
        isOpen: true,
        focused: toasts.focused === 'viewport' ? 'viewport' : undefined,
      };
    case 'dismiss':
      // The toast disappears under the pointer and the focus, without an event.
      return { ...toasts, isOpen: false, isHovered: false, focused: undefined };
    case 'reopen':
      return { ...toasts, isOpen: toasts.latest !== undefined };
    case 'remove':
      return noToasts;
    case 'hover':
      return { ...toasts, isHovered: event.isHovered };
    case 'focus':
      return { ...toasts, focused: event.focused };
  }
}
