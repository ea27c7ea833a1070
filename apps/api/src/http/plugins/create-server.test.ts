import { expect, test } from 'vitest';
import { mayBeProxy, toTrustFunction } from './create-server.ts';

test('a number trusts that many hops, a list trusts its addresses, undefined trusts nothing', () => {
  expect([0, 1, 2].map((hop) => toTrustFunction(2)('192.0.2.1', hop))).toEqual([true, true, false]);
  const addresses = ['127.0.0.1', '::1', '192.0.2.1', '192.0.3.1', ''];
  const trustList = toTrustFunction(['loopback', '192.0.2.0/24']);
  expect(addresses.map((address) => trustList(address, 0))).toEqual([true, true, true, false, false]);
  expect(addresses.map((address) => toTrustFunction(undefined)(address, 0))).not.toContain(true);
});

test.each<[string, boolean]>([
  ['127.0.0.1', true],
  ['::1', true],
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['192.168.0.1', true],
  ['169.254.0.1', true],
  ['::ffff:10.1.2.3', true],
  ['fd00::1', true],
  ['fe80::1', true],
  ['198.51.100.7', true],
  ['192.0.2.1', false],
  ['172.32.0.1', false],
  ['::ffff:192.0.2.1', false],
  ['2001:db8::1', false],
  ['', false],
])('%s may be a proxy, where 198.51.100.7 is trusted: %s', (address, expected) => {
  expect(mayBeProxy(address, toTrustFunction(['198.51.100.7']))).toBe(expected);
});
