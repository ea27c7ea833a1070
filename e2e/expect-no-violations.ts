import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

/** The minified script, which pages load in half the time. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose outcome depends on the colour scheme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Expects no axe violations on a page, or in the element of a selector; with `pnpm test --all` in either colour scheme,
 * which takes half as long again.
 */
export async function expectNoViolations(page: Page, part = 'html'): Promise<void> {
  await findViolations(page, part, { type: 'tag', values: TAGS });
  if (process.env.TEST_TIER !== 'all') return;
  await setColorScheme(page, 'dark');
  await findViolations(page, part, { type: 'rule', values: COLOUR_RULES });
  await setColorScheme(page, 'light');
}

async function findViolations(page: Page, part: string, runOnly: axe.RunOnly): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axeSource);
    // axe does not know the top layer, and takes what comes later on the page for what covers a dialog.
    await page.addStyleTag({ content: '[popover] { z-index: 1000; }' });
  }
  const found = await page.evaluate(
    async ([include, only]) => {
      // At another position the sticky header can cover a part of a button, which then seems too small.
      window.scrollTo({ top: 0, behavior: 'instant' });
      const { violations, passes } = await window.axe.run(
        // Tooltips are outside landmarks, as is the element that has nothing but one.
        { include, exclude: '[role=tooltip], [data-portal]:has(> [role=tooltip]:only-child)' },
        { runOnly: only, resultTypes: ['violations'] },
      );
      return {
        violations: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
        rulesPassed: passes.length,
      };
    },
    [part, runOnly] as const,
  );
  expect(found.violations).toEqual([]);
  // A selector without a match has no violations either.
  expect(found.rulesPassed).toBeGreaterThan(0);
}

async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // Without the app a page takes the scheme over when it is loaded.
  if (page.url().endsWith('/api/docs')) await page.goto(page.url(), { waitUntil: 'load' });
  await expect(page.locator('html')).toHaveCSS('color-scheme', new RegExp(colorScheme));
}

/** A phone, or a desktop at 400 % zoom; a desktop at 200 % zoom. In CSS pixels. */
const WIDTHS = [320, 720];

/** Expects that a page reflows on narrow and zoomed screens, also with the text spacing of WCAG 1.4.12. */
export async function expectReflow(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  // A tooltip at the mouse would stay at its place while the page gets narrower.
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip').first()).toBeHidden();
  for (const width of [size.width, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 640 });
    expect(await page.evaluate(findOverflow), `at ${width} px`).toEqual([]);
  }
  await page.setViewportSize(size);
}

/** Runs in the page: lists elements that are wider than the page, and text that is cut off. */
function findOverflow(): string[] {
  const spacing = new CSSStyleSheet();
  spacing.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-bottom: 2em !important }`);
  const name = (element: Element) => `${element.tagName} ${element.className} ${element.textContent.slice(0, 40)}`;
  const findTooWide = () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('main *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth,
    );
    return [`${scrollWidth} > ${clientWidth}`, ...wide.map((element) => `wide: ${name(element)}`)];
  };
  const findCut = () =>
    [...document.querySelectorAll('a, button, [role=button], label, h1, h2, h3, dt, dd, [class*=badge], [role=alert]')]
      // A tooltip shows the whole text of these.
      .filter((element) => !element.closest('[data-tooltip-if-cut]'))
      .filter((element) => getComputedStyle(element).overflow !== 'visible' && element.clientWidth > 1)
      .filter(
        (element) =>
          element.scrollWidth > element.clientWidth + 1 ||
          // Glyphs overflow a line of their own height a little.
          element.scrollHeight > element.clientHeight + 4,
      )
      .map((element) => `cut: ${name(element)}`);
  const found = findTooWide();
  document.adoptedStyleSheets = [spacing];
  found.push(...findTooWide(), ...findCut());
  document.adoptedStyleSheets = [];
  return found;
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
