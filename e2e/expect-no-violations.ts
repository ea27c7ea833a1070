import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Expects that axe finds nothing on a page. */
export async function expectNoViolations(page: Page) {
  const { violations } = await new AxeBuilder({ page })
    // A tooltip describes a control, and belongs to no part of the page.
    .exclude('[role=tooltip]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}
