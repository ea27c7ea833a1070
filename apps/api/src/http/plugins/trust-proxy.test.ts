import { expect, test } from 'vitest';
import { toTrustFunction } from './trust-proxy.ts';

test('a number trusts that many hops, a list trusts its addresses, undefined trusts nothing', () => {
  expect([0, 1, 2].map((hop) => toTrustFunction(2)('192.0.2.1', hop))).toEqual([true, true, false]);
  const addresses = ['127.0.0.1', '::1', '192.0.2.1', '192.0.3.1', ''];
  const trustList = toTrustFunction(['loopback', '192.0.2.0/24']);
  expect(addresses.map((address) => trustList(address, 0))).toEqual([true, true, true, false, false]);
  expect(addresses.map((address) => toTrustFunction(undefined)(address, 0))).not.toContain(true);
});
