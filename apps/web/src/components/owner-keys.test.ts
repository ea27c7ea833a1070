// @vitest-environment jsdom
import { createManagementKey, readManagementKey, toManageLink } from '@agent-registry/contracts';
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { forgetKey, keepKey, useOwnAgents } from './owner-keys.ts';

const STORAGE_KEY = 'agent-registry.own-agents';
const own = { id: '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f', name: 'Marmot Mail', key: createManagementKey() };

afterEach(() => window.localStorage.clear());

test('keys are kept by agent, and forgotten', () => {
  const { result } = renderHook(useOwnAgents);
  expect(result.current).toEqual([]);
  act(() => keepKey(own));
  const other = { ...own, id: '9e7d8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f' };
  act(() => keepKey(other));
  act(() => keepKey({ ...own, name: 'Renamed' }));
  expect(result.current).toEqual([other, { ...own, name: 'Renamed' }]);
  act(() => forgetKey(other.id));
  expect(result.current).toHaveLength(1);
});

test.each([
  '{',
  '5',
  '[{"id":"1"}]',
  '[null]',
  '[{"id":"1","name":"A","key":"short"}]',
  JSON.stringify([{ ...own, id: 'new' }]),
])('storage with %s counts as empty', (json) => {
  window.localStorage.setItem(STORAGE_KEY, json);
  expect(renderHook(useOwnAgents).result.current).toEqual([]);
});

test('a key is read from itself or from a link', () => {
  const link = `https://registry.example${toManageLink(own.id, own.key)}`;
  expect(link).toBe(`https://registry.example/agent/${own.id}#manage=${own.key}`);
  for (const text of [own.key, ` ${own.key}\n`, link]) expect(readManagementKey(text)).toBe(own.key);
  for (const text of ['', 'x', `${own.key}x`, `https://registry.example/?manage=${own.key}`, 'A'.repeat(43)]) {
    expect(readManagementKey(text)).toBeUndefined();
  }
});
