import { useEffect } from 'react';
import { isComposing } from '../../lib/is-composing.ts';

/** The open menus of the section. */
const MENUS = '#browse details[open]';
/** An open sheet, dialog or menu. */
const OPEN = `:popover-open, ${MENUS}`;

/**
 * Closes an open menu with Escape and when the focus or a press is elsewhere. A press beside an open menu or sheet does
 * not also open the card below the pointer.
 */
export function useLightDismiss(): void {
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const options = { signal, capture: true };
    let isDismissal = false;
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        const isOnCard = target instanceof Element && target.closest('article') !== null;
        isDismissal = isOnCard && document.querySelector(OPEN) !== null;
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
    const closeOthers = ({ type, target }: Event) => {
      for (const menu of document.querySelectorAll<HTMLDetailsElement>(MENUS)) {
        // A press on a text of the menu focuses the section around it.
        const isAround = type === 'focusin' && (target as Node).contains(menu);
        if (!isAround && !menu.contains(target as Node)) menu.open = false;
      }
    };
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, closeOthers, { signal });
    document.addEventListener(
      'keydown',
      (event) => {
        const menu = event.target instanceof Element && event.target.closest<HTMLDetailsElement>(MENUS);
        if (!menu || event.key !== 'Escape' || isComposing(event)) return;
        menu.open = false;
        menu.querySelector('summary')?.focus();
      },
      { signal },
    );
    return () => listeners.abort();
  }, []);
}
