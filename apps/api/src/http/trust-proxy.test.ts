import { expect, test } from 'vitest';
import { readTrustProxy, toTrustFunction } from './trust-proxy.ts';

test.each([
  ['0', undefined],
  ['2', 2],
  ['127.0.0.1', ['127.0.0.1']],
  ['loopback, 10.0.0.0/8,fd00::/8', ['loopback', '10.0.0.0/8', 'fd00::/8']],
])('%j names proxies', (setting, proxies) => {
  expect(readTrustProxy(setting)).toEqual(proxies);
});

test.each([
  '',
  'yes',
  'true',
  '-1',
  '1.5',
  '10.0.0.0/33',
  '10.0.0.0/0',
  '10.0.0.0/8/8',
  'fd00::/129',
  'proxy.local',
  ',',
])('%j names none', (setting) => {
  expect(() => readTrustProxy(setting)).toThrow(TypeError);
});

test('a number trusts so many hops, a list its addresses, and nothing nobody', () => {
  const trust = toTrustFunction(2) as (address: string, hop: number) => boolean;
  expect([0, 1, 2].map((hop) => trust('192.0.2.1', hop))).toEqual([true, true, false]);
  expect(toTrustFunction(['loopback'])).toEqual(['loopback']);
  expect(toTrustFunction(undefined)).toBe(false);
});
