import { useEffect, useRef, useState, type RefObject } from 'react';
import classes from './SearchKey.module.css';

/** The key in localStorage; it holds "off" if the shortcut is turned off. */
const STORAGE_KEY = 'agent-registry.search-key';

/**
 * The keyboard shortcut `/`, which moves the focus to the search box, and the button that turns it off and on
 * (WCAG 2.1.4: speech input can press character keys by accident). While the button is hidden, the shortcut is off.
 */
export function SearchKey({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOn, setIsOn] = useState(true);

  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the server cannot read localStorage
    if (isTurnedOff()) setIsOn(false);
  }, []);
  useEffect(() => {
    if (!isOn) return;
    const box = input.current;
    const focusBox = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || !button.current?.checkVisibility()) return;
      event.preventDefault();
      box?.select();
      box?.focus();
    };
    box?.setAttribute('aria-keyshortcuts', '/');
    document.addEventListener('keydown', focusBox);
    return () => {
      box?.removeAttribute('aria-keyshortcuts');
      document.removeEventListener('keydown', focusBox);
    };
  }, [input, isOn]);

  const toggle = () => {
    setIsOn(!isOn);
    try {
      localStorage.setItem(STORAGE_KEY, isOn ? 'off' : 'on');
    } catch {
      // Without storage, the choice lasts as long as the page.
    }
  };
  return (
    <button
      ref={button}
      type="button"
      className={`needs-scripts ${classes.key}`}
      aria-pressed={isOn}
      aria-label="The / key leads to the search"
      onClick={toggle}
    >
      <kbd>/</kbd>
    </button>
  );
}

function isTurnedOff(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'off';
  } catch {
    return false;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
