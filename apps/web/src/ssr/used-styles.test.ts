import { expect, test } from 'vitest';
import { keepUsedStyles } from './used-styles.ts';

const page = (css: string) =>
  `<head><link href="/latin.woff2"><style>${css}</style></head><body class="page wide" data-size="md" dir="auto"></body>`;

test.each([
  'body{margin:0}',
  ':where(body[class]){margin:0}',
  '.page{margin:0}',
  '.page:where([data-size]).wide{margin:0}',
  '[data-size="md"]:not(.absent):not(:where([dir=rtl],.absent)){margin:0}',
  '.page:is(.absent,.wide){margin:0}',
  '[data-mantine-color-scheme=dark] .page{margin:0}',
  '@media (min-width:1px){@supports (display:grid){.page{margin:0}}}',
  '@font-face{src:url(/latin.woff2)format("woff2")}',
  '@font-face{src:local(Arial)}',
  '.page:not(:checked){margin:0}',
])('a page keeps %s', (rule) => {
  expect(keepUsedStyles(page(rule))).toBe(page(rule));
});

test.each([
  '.absent{margin:0}',
  '.page .absent{margin:0}',
  '.page[data-size=lg]{margin:0}',
  '.page:hover{margin:0}',
  '.page :focus-visible{margin:0}',
  '.page::backdrop{margin:0}',
  '@media (hover:hover){.page{margin:0}}',
  '@media (min-width:1px){.absent{margin:0}}',
  '@font-face{src:url(/greek.woff2)format("woff2")}',
  '@keyframes turn{0%{margin:0}to{margin:1px}}',
])('a page leaves %s to the file', (rule) => {
  expect(keepUsedStyles(page(rule))).toBe(page(''));
});

test('a page keeps the selectors of a rule that it has', () => {
  expect(keepUsedStyles(page('.page:where(.absent,.wide),.absent,body{margin:0}'))).toBe(
    page('.page:where(.absent,.wide),body{margin:0}'),
  );
});

test('a page keeps the variables that it reads, and all of the root', () => {
  const css = (own: string) =>
    `:root{--a:1px;--b:2px}.page{${own}margin:var(--size)}@media (min-width:1px){.wide{--size:3px}}`;
  expect(keepUsedStyles(page(css('--size:1px;--other:2px;')))).toBe(page(css('--size:1px;')));
});
