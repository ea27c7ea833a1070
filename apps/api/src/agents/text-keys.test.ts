import { expect, test } from 'vitest';
import { findRepository, nameWebsite } from '@agent-registry/contracts';
import { toSite } from '../hosts.ts';
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

/** The characters of addresses by RFC 3986, 2.2 and 2.3, without the quote, which URL parsers escape in queries. */
const [unreserved, reserved] = ['ABCXYZabcxyz0189-._~', ':/?#[]@!$&()*+,;='];
const escape = (character: string) => `%${character.charCodeAt(0).toString(16)}`;

test('addresses that are equivalent by RFC 3986, 6.2.2 have the same key, others have not', () => {
  for (const part of ['a', 'a?b=', 'a#b']) {
    const keyOf = (text: string) => toWebsiteKey(`https://example.com/x${part}${text}y`);
    for (const character of unreserved) {
      expect([character, keyOf(escape(character))]).toEqual([character, keyOf(character)]);
      expect([character, keyOf(escape(character).toUpperCase())]).toEqual([character, keyOf(character)]);
    }
    for (const character of `${reserved}%`) {
      expect([character, keyOf(escape(character))]).not.toEqual([character, keyOf(character)]);
      expect([character, keyOf(escape(character))]).toEqual([character, keyOf(escape(character).toUpperCase())]);
    }
    expect(keyOf('%25%37%45')).not.toBe(keyOf('~'));
  }
  for (const path of ['/a/./b', '/a/%2e/b', '/c/../a/b', '/c/%2E%2e/a/b', '/./a/b', '/../a/b']) {
    expect([path, toWebsiteKey(`HTTPS://Example.COM:443${path}`)]).toEqual([
      path,
      toWebsiteKey('http://example.com/a/b'),
    ]);
  }
});

test('an account and its repository have one name in all spellings of RFC 3986, 6.2.2', () => {
  const namesOf = (path: string) => {
    const address = `HTTPS://GitHub.com:443/${path}`;
    return [toSite(address), nameWebsite(address)?.name, findRepository(address)?.name];
  };
  for (const character of unreserved) {
    const path = `o${character}o/r${character}r`;
    for (const escaped of [escape(character), escape(character).toUpperCase()]) {
      expect(namesOf(`./x/../o${escaped}o/r${escaped}r`)).toEqual(namesOf(path));
    }
  }
  expect(namesOf('%4f/r')).toEqual(['github.com/o', 'github.com/O', 'github.com/O/r']);
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
