import { useEffect } from 'react';

/** A press beside an open sheet or dialog closes it, and does not also open the card below the pointer. */
export function useLightDismiss(): void {
  useEffect(() => {
    const listeners = new AbortController();
    const options = { signal: listeners.signal, capture: true };
    let isDismissal = false;
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        const isOnCard = target instanceof Element && target.closest('article') !== null;
        isDismissal = isOnCard && document.querySelector(':popover-open') !== null;
      },
      options,
    );
    document.addEventListener(
      'click',
      (event) => {
        if (!isDismissal) return;
        isDismissal = false;
        event.preventDefault();
        event.stopPropagation();
      },
      options,
    );
    return () => listeners.abort();
  }, []);
}
