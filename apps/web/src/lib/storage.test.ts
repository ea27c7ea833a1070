// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readStored, removeStored, useStored, writeStored } from './storage.ts';

const KEY = 'agent-registry.test';
const toNumber = (json: unknown) => (typeof json === 'number' ? json : undefined);

describe.each(['localStorage', 'sessionStorage'] as const)('%s', (kind) => {
  test('a value is read until it is replaced or removed', () => {
    expect(readStored(KEY, toNumber, kind)).toBeUndefined();
    expect(writeStored(KEY, 1, kind)).toBe(true);
    expect(writeStored(KEY, 2, kind)).toBe(true);
    expect(readStored(KEY, toNumber, kind)).toBe(2);
    expect(removeStored(KEY, kind)).toBe(true);
    expect(readStored(KEY, toNumber, kind)).toBeUndefined();
  });

  test.each(['', '{', 'undefined', 'null', '"2"', '[2]'])('%j, which is no such value, is read as none', (text) => {
    window[kind].setItem(KEY, text);
    onTestFinished(() => window[kind].clear());
    expect(readStored(KEY, toNumber, kind)).toBeUndefined();
  });

  test('a parser that throws reads none', () => {
    writeStored(KEY, null, kind);
    onTestFinished(() => window[kind].clear());
    expect(readStored(KEY, (json) => (json as { a: { b: number } }).a.b, kind)).toBeUndefined();
  });

  test('where the browser blocks it, there is nothing to read, and writes say that they failed', () => {
    const storage = vi.spyOn(window, kind, 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    onTestFinished(() => storage.mockRestore());
    expect(writeStored(KEY, 1, kind)).toBe(false);
    expect(readStored(KEY, toNumber, kind)).toBeUndefined();
    expect(removeStored(KEY, kind)).toBe(false);
  });

  test('where it is full, the earlier value stays', () => {
    writeStored(KEY, 1, kind);
    onTestFinished(() => window[kind].clear());
    expect(writeStored(KEY, 'x'.repeat(6_000_000), kind)).toBe(false);
    expect(readStored(KEY, toNumber, kind)).toBe(1);
  });
});

test('a hook reads again when this tab or another one changes the value', () => {
  const { result } = renderHook(() => useStored(KEY, toNumber));
  expect(result.current).toBeUndefined();
  act(() => void writeStored(KEY, 1));
  expect(result.current).toBe(1);
  window.localStorage.setItem(KEY, '2');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: KEY })));
  expect(result.current).toBe(2);
  act(() => void removeStored(KEY));
  expect(result.current).toBeUndefined();
});
