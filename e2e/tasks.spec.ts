import { createManagementKey } from '@agent-registry/client';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import type { Locator, Page } from '@playwright/test';
import { expect, testWith, validAgent } from './test.ts';

/** Times of the keystroke-level model (Card, Moran and Newell), in seconds; a thumb types slower. */
const TIMES = { think: 1.35, point: 1.1, press: 0.2, key: 0.2, thumb: 0.28 };

/** Does the steps of a task in a browser, and adds up what they take a practised person: no times are measured. */
class Task {
  readonly #page: Page;
  readonly #isMobile: boolean;
  seconds = 0;

  constructor(page: Page, isMobile: boolean) {
    this.#page = page;
    this.#isMobile = isMobile;
  }

  /** Looks at the page and decides what comes next. */
  think(): void {
    this.seconds += TIMES.think;
  }

  /** Presses what a decision leads to. */
  async choose(target: Locator): Promise<void> {
    this.think();
    await this.press(target);
  }

  async press(target: Locator): Promise<void> {
    // A finger points and presses at once.
    this.seconds += TIMES.point + (this.#isMobile ? 0 : TIMES.press);
    await target.click();
  }

  async type(text: string): Promise<void> {
    this.seconds += text.length * (this.#isMobile ? TIMES.thumb : TIMES.key);
    await this.#page.keyboard.type(text);
  }

  async key(name: string): Promise<void> {
    this.seconds += this.#isMobile ? TIMES.thumb : TIMES.key;
    await this.#page.keyboard.press(name);
  }
}

const subtitles = makeAgent({ name: 'Subtitle Heron', capabilities: ['subtitles'] });
const agents = [
  subtitles,
  ...Array.from({ length: 30 }, (_, index) =>
    makeAgent({ name: `Stork ${index}`, pricingModel: index % 3 === 0 ? 'free' : 'paid', apiAccess: 'yes' }),
  ),
];

const test = testWith(agents);

// In one worker, since each one would start the registry.
test.describe.configure({ mode: 'default' });

test('an agent for subtitles is found in 5.5 seconds', { tag: '@all' }, async ({ page, isMobile }) => {
  const task = new Task(page, isMobile);
  await page.goto('/');
  task.think();
  if (isMobile) {
    await task.press(page.getByRole('combobox', { name: 'Search agents' }));
    await task.type('subti');
    await expect(page.getByRole('option', { name: /^Subtitle Heron/ })).toBeInViewport();
  } else {
    await task.key('/');
    await task.type('subtitles');
    await task.key('Enter');
    await expect(page.getByRole('article').filter({ hasText: subtitles.name })).toBeInViewport();
  }
  task.think();
  expect(task.seconds).toBeLessThanOrEqual(5.5);
});

test(
  'three free agents with an API are compared in 19 seconds, on a phone in 17',
  { tag: '@all' },
  async ({ page, isMobile }) => {
    const task = new Task(page, isMobile);
    await page.goto('/');
    const browse = page.locator('#browse');
    const form = browse.getByRole('form');
    await task.choose(page.getByRole('button', { name: 'Filters' }));
    await task.press(form.getByText('Free', { exact: true }));
    await task.press(form.getByText('API Available', { exact: true }));
    if (isMobile) await task.press(page.getByRole('button', { name: 'Show 10 agents' }));
    else await task.key('Escape');
    for (const index of [0, 1, 2]) {
      await task.choose(browse.getByRole('button', { name: /^Keep Stork/ }).nth(index));
    }
    await task.choose(page.getByRole('link', { name: 'Compare →' }));
    // A phone shows two of them beside each other.
    await expect(page.getByRole('columnheader')).toHaveCount(isMobile ? 3 : 4);
    expect(task.seconds).toBeLessThanOrEqual(isMobile ? 17 : 19);
  },
);

test.describe('tasks of owners take at most 15 seconds', { tag: ['@phone', '@all'] }, () => {
  test.use({ expectedErrors: /Failed to load resource.* 4(?:10|22)/ });

  test('correct an entry on a second device', async ({ page, client, registry, isMobile }) => {
    const key = createManagementKey();
    const context = { newKey: key };
    const { id } = await client.agents.register.mutate({ ...validAgent, name: 'Swift Marmot' }, { context });
    const task = new Task(page, isMobile);
    await page.setContent(`<a href="${registry.url}/agent/${id}#manage=${key}">The link in a message</a>`);
    await task.choose(page.getByRole('link'));
    await task.choose(page.getByRole('article').first().getByRole('link', { name: 'Edit' }));
    await task.choose(page.getByLabel('Description'));
    await task.type('corrected.');
    await task.choose(page.getByRole('button', { name: 'Save Changes' }));
    await expect(page.getByText(/corrected\./).first()).toBeVisible();
    expect(task.seconds).toBeLessThanOrEqual(15);
  });

  test('claim an imported entry', async ({ page, client, isMobile }) => {
    const website = 'https://swift.invalid/';
    const { id } = await client.agents.register.mutate({ ...validAgent, name: 'Unclaimed Marmot', website });
    const task = new Task(page, isMobile);
    await page.goto(`/agent/${id}`);
    await task.choose(page.getByRole('link', { name: 'Is this your agent?' }));
    await task.choose(page.getByRole('button', { name: 'Prove that you control the website' }));
    // The agent's own page has such buttons, too.
    const proof = page.getByRole('region', { name: 'Prove that swift.invalid is mine' });
    await task.choose(proof.getByRole('button', { name: 'Copy' }).first());
    await task.choose(page.getByRole('button', { name: 'Check now' }));
    await expect(page.getByRole('alert')).toContainText('swift.invalid could not be reached over https');
    expect(task.seconds).toBeLessThanOrEqual(15);
  });

  test('withdraw an entry and register it again', async ({ page, client, isMobile }) => {
    const key = createManagementKey();
    const context = { newKey: key };
    const { id } = await client.agents.register.mutate({ ...validAgent, name: 'Returning Marmot' }, { context });
    await page.goto(`/agent/${id}#manage=${key}`);
    const task = new Task(page, isMobile);
    await task.choose(page.getByRole('link', { name: 'Withdraw' }).first());
    await task.choose(page.getByRole('button', { name: 'Withdraw Returning Marmot' }));
    await task.choose(page.getByRole('button', { name: 'Register it again' }));
    await task.choose(page.getByLabel(/I agree to the terms/));
    await task.choose(page.getByRole('main').getByRole('button', { name: 'Register Agent' }));
    await expect(page.getByLabel('Keep this link to edit or withdraw the entry')).toBeVisible();
    expect(task.seconds).toBeLessThanOrEqual(15);
  });
});
