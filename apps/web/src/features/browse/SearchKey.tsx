import { useEffect, useRef, useState, type RefObject } from 'react';
import classes from './SearchKey.module.css';

/** Where the browser keeps that the key is turned off. */
const STORAGE_KEY = 'agent-registry.search-key';

/**
 * Makes the key `/` lead to the search box, says so, and turns that off and on: who speaks to the browser types letters
 * without meaning to (WCAG 2.1.4). Where there is no room to say it, the key does nothing.
 */
export function SearchKey({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOn, setIsOn] = useState(true);

  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the server does not know what the browser keeps
    if (isTurnedOff()) setIsOn(false);
  }, []);
  useEffect(() => {
    if (!isOn) return;
    const box = input.current;
    const search = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || !button.current?.checkVisibility()) return;
      event.preventDefault();
      box?.select();
      box?.focus();
    };
    box?.setAttribute('aria-keyshortcuts', '/');
    document.addEventListener('keydown', search);
    return () => {
      box?.removeAttribute('aria-keyshortcuts');
      document.removeEventListener('keydown', search);
    };
  }, [input, isOn]);

  const toggle = () => {
    setIsOn(!isOn);
    try {
      localStorage.setItem(STORAGE_KEY, isOn ? 'off' : 'on');
    } catch {
      // It holds for this page.
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
