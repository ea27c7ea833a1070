import { expect, test } from 'vitest';
import { clientKeys } from './rate-limiter.ts';

test.each([
  ['192.0.2.1', '192.0.2.1', undefined],
  ['::ffff:192.0.2.1', '192.0.2.1', undefined],
  ['::FFFF:c000:201', '192.0.2.1', undefined],
  ['0:0:0:0:0:ffff:192.0.2.255', '192.0.2.255', undefined],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['::', '0:0:0:0::/64', '0:0:0::/48'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64', '64:ff9b:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['192.0.2.1:1234', '192.0.2.1', undefined],
  ['[::ffff:192.0.2.1]', '192.0.2.1', undefined],
  ['[2001:db8::1]:443', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['unknown', '', undefined],
  ['a:1', '', undefined],
  ['', '', undefined],
  [undefined, '', undefined],
])('calls from %j count for the client %j in the network %j', (address, client, network) => {
  expect(clientKeys(address)).toEqual({ client, network });
});
