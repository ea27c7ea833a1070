import { useEffect, useEffectEvent, useRef, type Dispatch } from 'react';
import type { ToastEvent, Toasts } from './reduce-toasts.ts';

/** How long a toast stays open while it is neither hovered nor focused, in milliseconds. */
const TOAST_DURATION = 5_000;
/** When a dismissed toast is removed, in milliseconds. */
const TOAST_REMOVE_DELAY = 1_000_000;

/** Dismisses the open toast, and removes the dismissed one, in time. */
export function ToastTimers({ toasts, dispatch }: { toasts: Toasts; dispatch: Dispatch<ToastEvent> }) {
  const { latest, isOpen, isHovered, focused } = toasts;
  if (!latest) return null;
  // The keys give each toast that opens or closes a timer of its own.
  if (!isOpen) return <Timer key="remove" duration={TOAST_REMOVE_DELAY} onEnd={() => dispatch({ type: 'remove' })} />;
  return (
    <Timer
      key={latest.id}
      duration={TOAST_DURATION}
      isPaused={isHovered || focused !== undefined}
      onEnd={() => dispatch({ type: 'dismiss' })}
    />
  );
}

type TimerProps = {
  /** In milliseconds, without the pauses. */
  duration: number;
  isPaused?: boolean;
  onEnd: () => void;
};

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
