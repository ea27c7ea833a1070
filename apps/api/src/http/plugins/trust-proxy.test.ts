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
  expect([0, 1, 2].map((hop) => toTrustFunction(2)('192.0.2.1', hop))).toEqual([true, true, false]);
  const addresses = ['127.0.0.1', '::1', '192.0.2.1', '192.0.3.1', ''];
  const trustList = toTrustFunction(['loopback', '192.0.2.0/24']);
  expect(addresses.map((address) => trustList(address, 0))).toEqual([true, true, true, false, false]);
  expect(addresses.map((address) => toTrustFunction(undefined)(address, 0))).not.toContain(true);
});
