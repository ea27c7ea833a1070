import { useMemo, useSyncExternalStore } from 'react';

/** `localStorage` is shared by all tabs and kept; `sessionStorage` belongs to one tab. */
type StorageKind = 'localStorage' | 'sessionStorage';

/** Converts parsed JSON to a value; undefined if it is something else. Another version of the site may have stored it. */
type Parse<Value> = (json: unknown) => Value | undefined;

/** @returns undefined if there is none, if it is invalid, on the server, and if the browser blocks its storage */
export function readStored<Value>(key: string, parse: Parse<Value>, kind?: StorageKind): Value | undefined {
  return parseText(readText(key, kind), parse);
}

/** @returns false if the storage is blocked or full */
export function writeStored(key: string, value: unknown, kind: StorageKind = 'localStorage'): boolean {
  return change(() => window[kind].setItem(key, JSON.stringify(value)));
}

/** @returns false if the storage is blocked */
export function removeStored(key: string, kind: StorageKind = 'localStorage'): boolean {
  return change(() => window[kind].removeItem(key));
}

/**
 * Reads a value of `localStorage`, and reads it again when this tab or another one changes it.
 * @param parse a function that is the same in every rendering
 * @returns undefined also while the page is hydrated
 */
export function useStored<Value>(key: string, parse: Parse<Value>): Value | undefined {
  const text = useSyncExternalStore(
    subscribe,
    () => readText(key),
    () => null,
  );
  return useMemo(() => parseText(text, parse), [text, parse]);
}

function readText(key: string, kind: StorageKind = 'localStorage'): string | null {
  try {
    return window[kind].getItem(key);
  } catch {
    return null;
  }
}

function parseText<Value>(text: string | null, parse: Parse<Value>): Value | undefined {
  try {
    return text === null ? undefined : parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function change(act: () => void): boolean {
  try {
    act();
  } catch {
    return false;
  }
  // Browsers tell the other tabs only.
  window.dispatchEvent(new Event('storage'));
  return true;
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('storage', onChange);
  return () => window.removeEventListener('storage', onChange);
}
