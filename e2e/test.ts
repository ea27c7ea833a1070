import { createClient, type NewAgentInput, type RegistryClient } from '@agent-registry/client';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { createRegistryPool, type RegistryPool } from './registry-pool.ts';
import { startRegistry, type Registry } from './registry.ts';

type Fixtures = {
  /** Matches console errors and warnings that a test expects; any other fails it. */
  expectedErrors: RegExp | undefined;
  registry: Registry;
  client: RegistryClient;
};
type WorkerFixtures = { registries: RegistryPool };

/** A browser test of the built product; the tests of a worker share one registry of sample agents. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  registries: [
    async ({}, use) => {
      const registries = createRegistryPool();
      await use(registries);
      await registries.stop();
    },
    { scope: 'worker' },
  ],
  registry: async ({ registries }, use) => use(await registries.getSample()),
  // Navigation waits for hydration, unless the test passes `waitUntil`; the console has no message but expected errors.
  page: async ({ page, javaScriptEnabled, expectedErrors }, use) => {
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    if (javaScriptEnabled) {
      const goTo = page.goto.bind(page);
      page.goto = async (...address) => {
        const response = await goTo(...address);
        if (!address[1]?.waitUntil) await waitForHydration(page);
        return response;
      };
      const reload = page.reload.bind(page);
      page.reload = async (...options) => {
        const response = await reload(...options);
        await waitForHydration(page);
        return response;
      };
    }
    await use(page);
    expect(errors.filter((error) => !expectedErrors?.test(error))).toEqual([]);
  },
  client: ({ registry }, use) => use(createClient({ url: registry.url })),
  baseURL: ({ registry }, use) => use(registry.url),
  expectedErrors: [undefined, { option: true }],
});

/** A browser test of a registry that is started with these arguments, which the tests of a worker share. */
export function testWith(...args: Parameters<typeof startRegistry>) {
  const start = () => startRegistry(...args);
  return test.extend({ registry: async ({ registries }, use) => use(await registries.get(start)) });
}

export { expect } from '@playwright/test';

/** Waits until React has hydrated the page; lazy components of an agent's page, with their links, come last. */
async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Array.from(document.querySelectorAll('#root :is(main, footer) a')).every((link) =>
      Object.keys(link).some((key) => key.startsWith('__reactProps')),
    ),
  );
}

/** Holds back requests of a method to a URL pattern. @returns releases them */
export async function holdBack(page: Page, method: 'GET' | 'POST', url: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() === method) await released;
    await route.continue();
  });
  return release;
}

/** Opens the home page with the code of toasts and tooltips, and pauses its clock; `page.clock.runFor` advances it. */
export async function openWithPausedClock(page: Page): Promise<void> {
  await page.clock.install({ time: '2026-01-01T00:00:00Z' });
  const chunks = ['Toaster', 'TooltipLayer'].map((name) => page.waitForResponse(`**/assets/${name}-*.js`));
  await openForm(page);
  await page.locator('[data-tooltip]:visible').first().dispatchEvent('pointerover');
  for (const chunk of await Promise.all(chunks)) await page.evaluate((url) => import(url), chunk.url());
  await expect(page.locator('#browse').getByRole('article')).toHaveCount(12);
  await page.clock.pauseAt('2026-01-01T01:00:00Z');
}

/** Opens a page and waits until the form is hydrated; before that, the browser posts it. */
export async function openForm(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('button', { name: 'Save Draft' })).toBeEnabled();
}

/** The visible toast with a text. */
export function toast(page: Page, text: string): Locator {
  return page.getByRole('region', { name: /Notifications/ }).locator('[role=status], [role=alert]', { hasText: text });
}

/** A valid registration. */
export const validAgent: Omit<NewAgentInput, 'connections'> = {
  name: 'Marmot Mail',
  description: 'Sorts a shared mailbox and drafts the answers that are always the same.',
  category: 'automation',
  capabilities: ['mail sorting', 'drafts', 'labels', 'snooze', 'digest'],
  contactEmail: 'owner@marmot.example.com',
  website: 'https://marmot.example.com',
  pricingModel: 'freemium',
  apiAccess: 'yes',
};

/** Fills in what the form on the page asks for, and sends it. */
export async function registerByForm(page: Page, name: string, category = 'Automation & Workflow'): Promise<void> {
  await page.getByLabel('Agent Name').fill(name);
  await page.getByLabel('Description').fill(validAgent.description);
  await page.getByLabel('Category').selectOption(category);
  await page.getByLabel('Contact Email').fill(validAgent.contactEmail);
  await page.getByLabel(/I agree to the terms/).check();
  await page.getByRole('main').getByRole('button', { name: 'Register Agent' }).click();
}

/** Finds the agents with a name; a search also finds agents with some of its words. */
export async function findByName(client: RegistryClient, name: string) {
  const found = await client.agents.search.query({ q: name });
  return found.filter((agent) => agent.name === name);
}

/** Opens the list of own agents: in the menu on phones, from the header elsewhere. */
export async function openOwnAgents(page: Page): Promise<Locator> {
  const menu = page.getByRole('button', { name: 'Open menu' });
  const isPhone = await menu.isVisible();
  await (isPhone ? menu : page.getByRole('button', { name: /^Your agents \d+$/ })).click();
  return page.getByRole('list', { name: 'Your agents' });
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab never came there.');
}
