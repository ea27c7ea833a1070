import { TOAST_DURATION, TOAST_HOTKEY, TOAST_MAX_WIDTH, TOAST_REMOVE_DELAY } from '@agent-registry/contracts';
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
import type { Toast } from './toast-context.ts';
import { ToastMessage } from './ToastMessage.tsx';
import classes from './Toaster.module.css';

/** Shows the latest toast in place of the one before in a fixed viewport, and keeps a dismissed one for F8 to bring back. */
export function Toaster({ latest }: { latest: Toast }) {
  const [store] = useState(createNotificationsStore);
  const showing = useNotifications(store).notifications[0]?.id;
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const isPaused = isHovered || isFocused;
  const timeLeft = useRef({ id: '', ms: TOAST_DURATION });
  const viewport = useRef<HTMLElement>(null);
  const focusBefore = useRef<HTMLElement | null>(null);
  const kept = useRef<{ toast: Toast; timer: number } | null>(null);

  const drop = useCallback(() => {
    window.clearTimeout(kept.current?.timer);
    kept.current = null;
  }, []);
  useEffect(() => drop, [drop]);

  // Neither pointer nor focus is seen to leave a toast that is taken away under them.
  const releasePause = useCallback(() => {
    setIsHovered(false);
    setIsFocused(false);
  }, []);

  const show = useCallback(
    (toast: Toast) => {
      drop();
      cleanNotifications(store);
      // The next one may come up under pointer or focus: that is where they are, and nothing tells of it.
      setIsHovered((was) => was && viewport.current?.matches(':hover') === true);
      setIsFocused((was) => was && document.activeElement === viewport.current);
      const id = showNotification(
        {
          autoClose: false,
          // A status is read out by the provider.
          ...(toast.variant === 'destructive' ? { role: 'alert' } : { role: 'status', 'aria-live': 'off' }),
          message: toast.message,
          renderNotification: () => <ToastMessage toast={toast} onDismiss={() => hideNotification(id, store)} />,
          onClose: () => {
            releasePause();
            kept.current = { toast, timer: window.setTimeout(drop, TOAST_REMOVE_DELAY) };
          },
        },
        store,
      );
      timeLeft.current = { id, ms: TOAST_DURATION };
    },
    [drop, releasePause, store],
  );
  // oxlint-disable-next-line react/set-state-in-effect -- the store of notifications stands outside of React
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

  // Focus that was in a toast goes back to where it came from when the toast goes.
  useEffect(() => {
    if (showing !== undefined) return;
    if (viewport.current?.contains(document.activeElement) || document.activeElement === document.body) {
      focusBefore.current?.focus();
    }
    focusBefore.current = null;
  }, [showing]);

  const focusViewport = () => {
    if (showing === undefined) {
      if (!kept.current) return;
      const { toast } = kept.current;
      flushSync(() => show(toast));
    }
    viewport.current?.focus();
  };
  useHotkeys([[TOAST_HOTKEY, focusViewport]], []);

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
      // A finger that taps does not hover.
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
