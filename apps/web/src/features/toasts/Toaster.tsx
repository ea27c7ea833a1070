import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';
import { useHotkeys } from '@mantine/hooks';
import {
  cleanNotifications,
  createNotificationsStore,
  hideNotification,
  Notifications,
  showNotification,
  useNotifications,
} from '@mantine/notifications';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type FocusEvent } from 'react';
import { flushSync } from 'react-dom';
import { isComposing } from '../../lib/is-composing.ts';
import type { Toast } from './toast-context.ts';
import { ToastMessage } from './ToastMessage.tsx';
import classes from './Toaster.module.css';

/** How long a toast stays open, in milliseconds. */
const TOAST_DURATION = 5_000;
/** When a dismissed toast is removed from the store, in milliseconds. */
const TOAST_REMOVE_DELAY = 1_000_000;
/** Moves the focus to the viewport. */
const TOAST_HOTKEY = 'F8';
/** Greatest width on medium screens and up, in pixels. */
const TOAST_MAX_WIDTH = 420;

/** The viewport of the toasts. It shows the latest one; the hotkey reopens the last dismissed one. */
export function Toaster({ latest }: { latest: Toast }) {
  const [store] = useState(createNotificationsStore);
  const showing = useNotifications(store).notifications[0]?.id;
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const isPaused = isHovered || isFocused;
  const timeLeft = useRef({ id: '', ms: TOAST_DURATION });
  const viewport = useRef<HTMLElement>(null);
  const focusBefore = useRef<HTMLElement | null>(null);
  const dismissed = useRef<{ toast: Toast; timer: number } | null>(null);

  const removeDismissed = useCallback(() => {
    window.clearTimeout(dismissed.current?.timer);
    dismissed.current = null;
  }, []);
  useEffect(() => removeDismissed, [removeDismissed]);

  // A toast that is removed under the pointer or the focus fires no leave or blur event.
  const resume = useCallback(() => {
    setIsHovered(false);
    setIsFocused(false);
  }, []);

  const show = useCallback(
    (toast: Toast) => {
      removeDismissed();
      cleanNotifications(store);
      // The new toast may appear under the pointer or the focus, without an event.
      setIsHovered((was) => was && viewport.current?.matches(':hover') === true);
      setIsFocused((was) => was && document.activeElement === viewport.current);
      const id = showNotification(
        {
          autoClose: false,
          // The provider announces statuses.
          ...(toast.variant === 'destructive' ? { role: 'alert' } : { role: 'status', 'aria-live': 'off' }),
          message: toast.message,
          renderNotification: () => <ToastMessage toast={toast} onDismiss={() => hideNotification(id, store)} />,
          onClose: () => {
            resume();
            dismissed.current = { toast, timer: window.setTimeout(removeDismissed, TOAST_REMOVE_DELAY) };
          },
        },
        store,
      );
      timeLeft.current = { id, ms: TOAST_DURATION };
    },
    [removeDismissed, resume, store],
  );
  // oxlint-disable-next-line react/set-state-in-effect -- the notifications store is outside React
  useLayoutEffect(() => show(latest), [latest, show]);

  useEffect(() => {
    if (showing === undefined || isPaused) return;
    const started = Date.now();
    const timer = window.setTimeout(() => hideNotification(showing, store), timeLeft.current.ms);
    return () => {
      window.clearTimeout(timer);
      if (timeLeft.current.id === showing) timeLeft.current.ms -= Date.now() - started;
    };
  }, [showing, isPaused, store]);

  // When the toast closes, the focus goes back to where it came from.
  useEffect(() => {
    if (showing !== undefined) return;
    if (viewport.current?.contains(document.activeElement) || document.activeElement === document.body) {
      focusBefore.current?.focus();
    }
    focusBefore.current = null;
  }, [showing]);

  const focusViewport = (event: KeyboardEvent) => {
    // Japanese input methods convert the text with F8.
    if (isComposing(event)) return;
    event.preventDefault();
    if (showing === undefined) {
      if (!dismissed.current) return;
      const { toast } = dismissed.current;
      flushSync(() => show(toast));
    }
    viewport.current?.focus();
  };
  useHotkeys([[TOAST_HOTKEY, focusViewport, { preventDefault: false }]], []);

  const handleFocus = ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    setIsFocused(true);
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) {
      focusBefore.current = relatedTarget;
    }
  };

  return (
    <section
      ref={viewport}
      tabIndex={-1}
      aria-label={`Notifications (${TOAST_HOTKEY})`}
      className={classes.viewport}
      // A tap is no hover.
      onPointerEnter={({ pointerType }) => setIsHovered(pointerType === 'mouse')}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={handleFocus}
      onBlur={() => setIsFocused(false)}
    >
      <Notifications
        store={store}
        position="bottom-right"
        limit={1}
        containerWidth={TOAST_MAX_WIDTH}
        withinPortal={false}
        transitionDuration={0}
        allowDragDismiss={false}
        allowScrollDismiss={false}
        zIndex={400}
      />
    </section>
  );
}
