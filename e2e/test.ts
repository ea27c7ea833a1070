import { createClient, type NewAgentInput, type RegistryClient } from '@agent-registry/client';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { startRegistry, type Registry } from './registry.ts';

type Fixtures = {
  /** Messages of the browser's console that a test expects; any other error fails it. */
  expectedErrors: RegExp | undefined;
  consoleGuard: void;
};
type WorkerFixtures = { registry: Registry; client: RegistryClient };

/** A test in the browser against the built product, which the tests of one worker share. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  registry: [
    async ({}, use) => {
      const registry = await startRegistry();
      await use(registry);
      await registry.stop();
    },
    { scope: 'worker' },
  ],
  // A page is there before its scripts have taken it over, which tests wait for but where they say what they wait for.
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled) {
      const goTo = page.goto.bind(page);
      page.goto = async (...address) => {
        const response = await goTo(...address);
        if (!address[1]?.waitUntil) await waitUntilTakenOver(page);
        return response;
      };
      const reload = page.reload.bind(page);
      page.reload = async (...options) => {
        const response = await reload(...options);
        await waitUntilTakenOver(page);
        return response;
      };
    }
    await use(page);
  },
  client: [({ registry }, use) => use(createClient({ url: registry.url })), { scope: 'worker' }],
  baseURL: ({ registry }, use) => use(registry.url),
  expectedErrors: [undefined, { option: true }],
  consoleGuard: [
    async ({ page, expectedErrors }, use) => {
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(String(error)));
      await use();
      expect(errors.filter((error) => !expectedErrors?.test(error))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';

/** Waits until React has made the whole page its own, whose end comes last, unless it is none of ours. */
async function waitUntilTakenOver(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const link = document.querySelector('#root footer a');
    return !link || Object.keys(link).some((key) => key.startsWith('__reactProps'));
  });
}

/** Holds back the calls of one method to the URLs of a pattern until the function that it gives is called. */
export async function holdBack(page: Page, method: 'GET' | 'POST', url: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() === method) await released;
    await route.continue();
  });
  return release;
}

/** Opens the home page and then stops its clock, which goes on only by `page.clock.runFor`; all of the page is there by then. */
export async function openWithStandingClock(page: Page): Promise<void> {
  await page.clock.install({ time: '2026-01-01T00:00:00Z' });
  const parts = ['Toaster', 'TooltipLayer'].map((part) => page.waitForResponse(`**/assets/${part}-*.js`));
  await openForm(page);
  for (const part of await Promise.all(parts)) await page.evaluate((url) => import(url), part.url());
  await expect(page.locator('#browse').getByRole('article')).toHaveCount(12);
  await page.clock.pauseAt('2026-01-01T01:00:00Z');
}

/** Opens a page with the form and waits until the scripts have taken it over: before that, the browser itself posts it. */
export async function openForm(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('button', { name: 'Save Draft' })).toBeEnabled();
}

/** The toast that is seen with a text. */
export function toast(page: Page, text: string): Locator {
  return page.getByRole('region', { name: /Notifications/ }).locator('[role=status], [role=alert]', { hasText: text });
}

/** A registration that is valid as it is. */
export const validAgent: NewAgentInput = {
  name: 'Marmot Mail',
  description: 'Sorts a shared mailbox and drafts the answers that are always the same.',
  category: 'automation',
  capabilities: ['mail sorting', 'drafts', 'labels', 'snooze', 'digest'],
  contactEmail: 'owner@marmot.example.com',
  website: 'https://marmot.example.com',
  pricingModel: 'freemium',
  apiAccess: 'yes',
};
