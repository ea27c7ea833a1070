import { describe, expect, test } from 'vitest';
import { toMailLink, toWebsiteLink } from './AgentActions.tsx';

describe('a mail link', () => {
  test('goes to the address', () => {
    expect(toMailLink('owner@example.com')).toBe('mailto:owner@example.com');
  });

  test.each([
    'owner?subject=Hello@example.com',
    'owner@example.com?bcc=other@example.com',
    'owner&cc=other@example.com',
    'owner@example.com\nBcc: other@example.com',
    'owner@example.com\r\nBcc: other@example.com',
    'owner@example.com,other@example.com',
    'owner@example.com#x',
    'owner%0A@example.com',
    'a?cc=b@c.de',
    'a%0Abcc:x@y.za',
  ])('to %j holds it as one address without headers', (email) => {
    const { protocol, pathname, search, hash } = new URL(toMailLink(email));
    expect({ protocol, search, hash }).toEqual({ protocol: 'mailto:', search: '', hash: '' });
    expect(pathname).not.toMatch(/[?&,;\s]/);
    expect(decodeURIComponent(pathname)).toBe(email);
  });
});

describe('a website link', () => {
  test.each(['https://example.com/a?b=c#d', 'http://example.com', 'HTTPS://EXAMPLE.COM'])('goes to %s', (website) => {
    expect(toWebsiteLink(website)).toBe(website);
  });

  test.each([
    null,
    '',
    'javascript:alert(1)',
    'JavaScript:alert(1)//https://example.com',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'javascript:alert(1)\nhttps://example.com',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com',
    'mailto:owner@example.com',
    '//example.com',
    'example.com',
    'https:example.com',
  ])('is not made of %j', (website) => {
    expect(toWebsiteLink(website)).toBeUndefined();
  });
});
