import { createManagementKey, MANAGEMENT_KEY_HEADER, toAgentPath, toManageLink } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { chromium, expect, type Browser, type Locator, type Page } from '@playwright/test';
import { findBrowser } from '../../e2e/browser.ts';
import { startRegistry, type Registry } from '../../e2e/registry.ts';
import { createReport } from './report.ts';

/** Entries that wait for review. */
const HELD = 10;

/** What a visitor does, counted. */
class Counter {
  readonly counts = { field: 0, press: 0, key: 0 };

  fill(field: Locator, text: string): Promise<void> {
    this.counts.field += 1;
    return field.fill(text);
  }

  press(control: Locator): Promise<void> {
    this.counts.press += 1;
    return control.click();
  }

  key(page: Page, name: string): Promise<void> {
    this.counts.key += 1;
    return page.keyboard.press(name);
  }
}

type Task = {
  name: string;
  limit: Partial<Counter['counts']>;
  /** Ends where the visitor sees that the task is done. */
  run: (counter: Counter, page: Page, registry: Registry) => Promise<void>;
};

const tasks: Task[] = [
  {
    name: 'find an agent for subtitles from home',
    limit: { field: 1, press: 1 },
    async run(counter, page, { url }) {
      await openHome(page, url);
      await counter.fill(page.locator('#search'), 'subtitles');
      await counter.press(page.locator('#browse').getByRole('button', { name: 'Search', exact: true }));
      await expectInView(page.getByRole('article').filter({ hasText: 'Subtitle Heron' }));
    },
  },
  {
    name: 'compare three free agents with an API from home',
    limit: { press: 7 },
    async run(counter, page, { url }) {
      await openHome(page, url);
      const form = page.locator('#browse').getByRole('form');
      await counter.press(page.getByRole('button', { name: 'Filters' }));
      await counter.press(form.getByText('Free', { exact: true }));
      await counter.press(form.getByText('API Available', { exact: true }));
      await page.locator('#browse').getByText('10 agents').first().waitFor();
      // A press beside the open filters would only close them.
      await counter.key(page, 'Escape');
      for (const index of [0, 1, 2]) await counter.press(page.getByRole('button', { name: /^Keep Stork/ }).nth(index));
      await counter.press(page.getByRole('link', { name: 'Compare →' }));
      await expectInView(page.getByRole('table').getByText('Pricing Model'));
    },
  },
  {
    name: 'correct the description of an own entry from its management link',
    limit: { field: 1, press: 4 },
    async run(counter, page, { url }) {
      const key = createManagementKey();
      const { id } = await register(url, 'Swift Marmot', key);
      await page.setContent(`<a href="${url}${toManageLink(id, key)}">The link in a message</a>`);
      await counter.press(page.getByRole('link'));
      await counter.press(page.getByRole('status').getByRole('link', { name: 'Edit' }));
      await counter.fill(page.getByLabel('Description'), 'A description without its mistake.');
      await counter.press(page.getByRole('button', { name: 'Save Changes' }));
      const entry = page.getByRole('article').filter({ has: page.getByRole('heading', { level: 1 }) });
      await expectInView(entry.getByText('without its mistake'));
    },
  },
  {
    // No machine of this benchmark has a repository: the last press is refused.
    name: 'claim an entry of GitHub from its page, besides the file',
    limit: { press: 5 },
    async run(counter, page, { url }) {
      const { id } = await register(url, 'Hub Marmot', createManagementKey(), 'https://github.com/example/marmot');
      await page.goto(url + toAgentPath(id));
      await counter.press(page.getByRole('link', { name: 'Is this your agent?' }));
      await counter.press(page.getByRole('button', { name: 'Prove that you control the repository' }));
      await counter.press(page.getByRole('main').getByRole('button', { name: 'Copy', exact: true }));
      await counter.press(page.getByRole('button', { name: 'Check now' }));
      await expectInView(page.getByText('Not proved'));
    },
  },
];

const review: Task = {
  name: `read and decide on ${HELD} held entries in the console`,
  limit: { key: HELD },
  async run(counter, page, registry) {
    const names = Array.from({ length: HELD }, (_, index) => `Held Marmot ${index}`);
    for (const name of names) await register(registry.url, name, createManagementKey());
    await page.goto(await registry.getConsole());
    for (const name of names) {
      await expectInView(page.locator('#current').filter({ hasText: name }));
      await counter.key(page, 'r');
      await page.locator('#current').filter({ hasText: name }).waitFor({ state: 'detached' });
    }
    await expectInView(page.getByText('Nothing waits for review.'));
  },
};

/** Counts what visitors, owners and operators do for some tasks, on the shortest way that they see. */
export async function benchPresses(): Promise<void> {
  const agents = Array.from({ length: 30 }, (_, index) =>
    makeAgent({ name: `Stork ${index}`, pricingModel: index % 3 === 0 ? 'free' : 'paid', apiAccess: 'yes' }),
  );
  const browser = await chromium.launch(await findBrowser());
  const open = await startRegistry([makeAgent({ name: 'Subtitle Heron', capabilities: ['subtitles'] }), ...agents]);
  const held = await startRegistry([], { REGISTRATION: 'held' });
  const report = createReport('presses');
  try {
    const rows: string[][] = [];
    for (const task of tasks) rows.push(await count(task, browser, open));
    rows.push(await count(review, browser, held));
    report.addTable('Fields that are filled in, presses and keys.', ['', 'counted', 'floor'], rows);
  } finally {
    await browser.close();
    await Promise.all([open.stop(), held.stop()]);
  }
  report.save();
}

async function count({ name, limit, run }: Task, browser: Browser, registry: Registry): Promise<string[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const counter = new Counter();
  await run(counter, page, registry);
  await page.close();
  const counted = Object.entries(counter.counts).filter(([, times]) => times > 0);
  const isMet = counted.every(([unit, times]) => times <= (limit[unit as keyof typeof limit] ?? 0));
  return [name, counted.map(([unit, times]) => `${times} × ${unit}`).join(', '), isMet ? 'met' : 'missed'];
}

/** Opens the home page, and waits until its scripts run. */
async function openHome(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('button:enabled', { hasText: 'Save Draft' }).waitFor();
}

async function expectInView(target: Locator): Promise<void> {
  await expect(target.first()).toBeInViewport();
}

async function register(url: string, name: string, key: string, website?: string): Promise<{ id: string }> {
  const response = await fetch(`${url}/api/agents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [MANAGEMENT_KEY_HEADER]: key },
    body: JSON.stringify(makeNewAgent({ name, ...(website && { website }) })),
  });
  return (await response.json()) as { id: string };
}
