import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';
import { useDrag, useHotkeys, useMergedRef } from '@mantine/hooks';
import {
  createNotificationsStore,
  Notifications,
  updateNotificationsState,
  type NotificationsStore,
} from '@mantine/notifications';
import alertTriangle from '../../icons/alert-triangle.svg?raw';
import circleCheck from '../../icons/circle-check.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type FocusEvent } from 'react';
import { isComposing } from '../../lib/is-composing.ts';
import type { Toasts } from '../../lib/toast-context.ts';
import classes from './Toaster.module.css';

/** How far right a swipe dismisses a toast, in pixels. */
const TOAST_SWIPE_THRESHOLD = 50;
const TOAST_HOTKEY = 'F8';
/** Greatest width on medium screens and up, in pixels. */
const TOAST_MAX_WIDTH = 420;
/** How long a toast stays open while it is neither hovered nor focused, in milliseconds. */
const TOAST_DURATION = 5_000;
/** When a dismissed toast is removed, in milliseconds. */
const TOAST_REMOVE_DELAY = 1_000_000;

/** The toast disappears under the pointer and the focus, without an event. */
const dismissed = { isOpen: false, isHovered: false, focused: undefined };

type ToasterProps = { toasts: Toasts; change: (part: Partial<Toasts>) => void };

/** The viewport of the toasts: Mantine renders the open one; the hotkey reopens the last dismissed one. */
export function Toaster({ toasts, change }: ToasterProps) {
  const { latest, isOpen } = toasts;
  const [store] = useState(createNotificationsStore);
  const [offset, setOffset] = useState(0);
  const viewport = useRef<HTMLElement>(null);
  const focusBefore = useRef<HTMLElement | null>(null);

  useOpenToast(store, { toasts, offset, change });
  const { ref: swiped } = useDrag<HTMLElement>(
    ({ movement: [x], last, canceled }) => {
      if (last && !canceled && x >= TOAST_SWIPE_THRESHOLD) change(dismissed);
      setOffset(last ? 0 : Math.max(0, x));
    },
    { axis: 'x', threshold: 5, filterTaps: true },
  );

  // When the toast closes, the focus goes back to where it came from.
  useEffect(() => {
    if (isOpen) return;
    if (viewport.current?.contains(document.activeElement) || document.activeElement === document.body) {
      focusBefore.current?.focus();
    }
    focusBefore.current = null;
  }, [isOpen]);

  const focusViewport = (event: KeyboardEvent) => {
    // Japanese input methods convert the text with F8.
    if (!latest || isComposing(event)) return;
    event.preventDefault();
    change({ isOpen: true });
    viewport.current?.focus();
  };
  useHotkeys([[TOAST_HOTKEY, focusViewport, { preventDefault: false }]], []);

  const handleFocus = ({ target, relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    change({ focused: target === currentTarget ? 'viewport' : 'toast' });
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) {
      focusBefore.current = relatedTarget;
    }
  };

  return (
    <section
      ref={useMergedRef(viewport, swiped)}
      tabIndex={-1}
      aria-label={`Notifications (${TOAST_HOTKEY})`}
      className={classes.viewport}
      // A tap is no hover.
      onPointerEnter={({ pointerType }) => change({ isHovered: pointerType === 'mouse' })}
      onPointerLeave={() => change({ isHovered: false })}
      onFocus={handleFocus}
      onBlur={() => change({ focused: undefined })}
    >
      <ToastTimers toasts={toasts} change={change} />
      <Notifications
        store={store}
        position="bottom-right"
        limit={1}
        autoClose={false}
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

function useOpenToast(store: NotificationsStore, { toasts, offset, change }: ToasterProps & { offset: number }): void {
  const { latest, isOpen } = toasts;
  useLayoutEffect(() => {
    if (!latest || !isOpen) return updateNotificationsState(store, () => []);
    const { id, title, message, variant = 'default' } = latest;
    const isAlert = variant === 'destructive';
    updateNotificationsState(store, () => [
      {
        id,
        title,
        message,
        icon: <Icon svg={isAlert ? alertTriangle : circleCheck} size={22} />,
        // The provider announces statuses.
        ...(isAlert ? { role: 'alert' } : { role: 'status', 'aria-live': 'off' }),
        classNames: { root: classes.toast, icon: classes.icon, description: classes.message },
        'data-variant': variant,
        style: { translate: `${offset}px` },
        closeButtonProps: { 'aria-label': 'Dismiss notification', 'data-tooltip': 'Dismiss notification' },
        onClose: () => change(dismissed),
      },
    ]);
  }, [store, latest, isOpen, offset, change]);
}

function ToastTimers({ toasts, change }: ToasterProps) {
  const { latest, isOpen, isHovered, focused } = toasts;
  if (!latest) return null;
  // The keys give each toast that opens or closes a timer of its own.
  if (!isOpen)
    return (
      <Timer key="remove" duration={TOAST_REMOVE_DELAY} onEnd={() => change({ latest: undefined, ...dismissed })} />
    );
  return (
    <Timer
      key={latest.id}
      duration={TOAST_DURATION}
      isPaused={isHovered || focused !== undefined}
      onEnd={() => change(dismissed)}
    />
  );
}

type TimerProps = { duration: number; isPaused?: boolean; onEnd: () => void };

/** The duration is in milliseconds, without the pauses. */
function Timer({ duration, isPaused = false, onEnd }: TimerProps) {
  const timeLeft = useRef(duration);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (isPaused) return;
    const startedAt = Date.now();
    const timer = window.setTimeout(() => end(), timeLeft.current);
    return () => {
      window.clearTimeout(timer);
      timeLeft.current -= Date.now() - startedAt;
    };
  }, [isPaused]);
  return null;
}
