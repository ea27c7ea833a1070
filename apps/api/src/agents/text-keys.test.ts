import { expect, test } from 'vitest';
import { toWebsiteKey } from './text-keys.ts';

test.each([
  ['http://example.com', 'https://example.com'],
  ['https://www.example.com', 'https://example.com/'],
  ['https://EXAMPLE.com:443/docs/', 'http://www.example.com/docs'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example'],
  ['https://example.com/?a=1', 'http://example.com?a=1'],
  ['https://www.example.com./docs', 'https://example.com/docs'],
  ['https://example.com.:8443', 'https://example.com:8443'],
])('%s and %s have the same key', (one, other) => {
  expect(toWebsiteKey(one)).toBe(toWebsiteKey(other));
});

test.each([
  ['https://example.com/a', 'https://example.com/A'],
  ['https://example.com', 'https://docs.example.com'],
  ['https://example.com', 'https://example.com:8443'],
  ['https://example.com/?a=1', 'https://example.com/?a=2'],
  ['https://example.com/#/a', 'https://example.com/#/b'],
])('%s and %s have different keys', (one, other) => {
  expect(toWebsiteKey(one)).not.toBe(toWebsiteKey(other));
});

test('the longest website has a short key, and no website has none', () => {
  expect(toWebsiteKey(`https://example.com/${'字'.repeat(2_000)}`)).toHaveLength(43);
  expect(toWebsiteKey(null)).toBeNull();
});
