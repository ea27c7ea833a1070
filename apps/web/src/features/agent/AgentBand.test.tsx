import { expect, test } from 'vitest';
import { render } from '../../testing/render.tsx';
import { LinkedText } from './AgentBand.tsx';

test.each([
  ['See https://example.com/docs.', ['https://example.com/docs']],
  ['(https://example.com/a?b=c#d), http://example.org!', ['https://example.com/a?b=c#d', 'http://example.org']],
  ['文档：https://example.com/文档。', ['https://example.com/文档']],
  ['https://example.com/docs。次の文', ['https://example.com/docs']],
  ['「https://ja.wikipedia.org/wiki/ハリー・ポッター」、続く', ['https://ja.wikipedia.org/wiki/ハリー・ポッター']],
  ['देखें https://example.com/पन्ना।', ['https://example.com/पन्ना']],
  ['https://en.wikipedia.org/wiki/Mercury_(planet)', ['https://en.wikipedia.org/wiki/Mercury_(planet)']],
  [
    '(see https://en.wikipedia.org/wiki/Mercury_(planet)), and [https://example.com/a].',
    ['https://en.wikipedia.org/wiki/Mercury_(planet)', 'https://example.com/a'],
  ],
  [
    'https://example.com/a_(b_(c)) https://example.com/?q={x}',
    ['https://example.com/a_(b_(c))', 'https://example.com/?q={x}'],
  ],
  ['“https://example.com/x…” «https://example.com/y»', ['https://example.com/x', 'https://example.com/y']],
  [
    'https://example.com/a/ https://example.com/b- https://example.com/c_',
    ['https://example.com/a/', 'https://example.com/b-', 'https://example.com/c_'],
  ],
  ['https://social.example/@otter', ['https://social.example/@otter']],
  ['example.com and mail@example.com', []],
  ['javascript:alert(1) ftp://example.com', []],
  ['https://bank.example@evil.example/login', []],
  ['https://', []],
])('the links in %j are %j', (text, links) => {
  const { container } = render(<LinkedText>{text}</LinkedText>);
  expect(container.querySelectorAll('a')).toHaveLength(links.length);
  expect([...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(links);
  expect([...container.querySelectorAll('a')].every((link) => link.rel.startsWith('ugc nofollow'))).toBe(true);
  expect(container.textContent).toContain(text);
});
