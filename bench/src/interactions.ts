import { setTimeout } from 'node:timers/promises';
import { MAX_FULL_LIST } from '@agent-registry/contracts';
import { chromium, devices, type Page } from '@playwright/test';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { findWholeBrowser } from '../../e2e/browser.ts';
import { startRegistry } from '../../e2e/registry.ts';
import type { BenchOptions } from './corpus.ts';
import { count, createReport, median } from './report.ts';

/** How many times slower the browser's processor is made. */
const SLOWDOWN = 4;
/** The longest time from a press to the next frame that is accepted, in milliseconds. */
const FLOOR = 100;
/** How long a visitor holds a mouse button or a key, in milliseconds. */
const HOLD = 80;
/** The time after each press, in which its effects are rendered, in milliseconds. */
const SETTLE = 1_000;

type Interaction = { name: string; only?: 'desktop' | 'phone'; run: (page: Page) => Promise<void> };

const press = (page: Page, role: 'button' | 'link', name: string | RegExp) =>
  page.getByRole(role, { name, exact: true }).first().click({ delay: HOLD });
const pressChoice = (page: Page, text: string) =>
  page.locator('#filters').getByText(text, { exact: true }).click({ delay: HOLD });

/** What a visitor does, in order. */
const interactions: Interaction[] = [
  { name: 'type in the search box', run: (page) => page.locator('#search').pressSequentially('data', { delay: 100 }) },
  { name: 'search', run: (page) => page.keyboard.press('Enter', { delay: HOLD }) },
  { name: 'clear the search', run: (page) => press(page, 'button', 'Clear the search') },
  { name: 'load more agents', run: (page) => press(page, 'button', 'Load More Agents') },
  { name: 'load more agents again', run: (page) => press(page, 'button', 'Load More Agents') },
  { name: 'choose a category', run: (page) => press(page, 'button', 'Creative') },
  { name: 'clear the category', run: (page) => press(page, 'button', 'Creative') },
  { name: 'open the filters', run: (page) => press(page, 'button', 'Filters') },
  { name: 'choose a filter', run: (page) => pressChoice(page, 'Free') },
  { name: 'close the filters', only: 'phone', run: (page) => press(page, 'button', /^Show/) },
  { name: 'close the filters by key', only: 'desktop', run: (page) => page.keyboard.press('Escape', { delay: HOLD }) },
  { name: 'remove the filter', run: (page) => press(page, 'link', 'Remove the filter Free') },
  { name: 'open the navigation', only: 'phone', run: (page) => press(page, 'button', 'Open menu') },
  { name: 'close the navigation', only: 'phone', run: (page) => press(page, 'button', 'Close menu') },
  { name: 'switch the colour scheme', run: (page) => press(page, 'button', 'Switch to dark mode') },
  { name: 'open an agent', run: (page) => page.locator('#browse article h3 a').nth(1).click({ delay: HOLD }) },
  { name: 'go back to the list', run: (page) => press(page, 'link', '← All agents') },
  {
    name: 'type in the form',
    run: async (page) => {
      const field = page.getByLabel('Agent Name');
      await field.scrollIntoViewIfNeeded();
      await setTimeout(SETTLE);
      await field.pressSequentially('Otter', { delay: 100 });
    },
  },
  {
    name: 'submit the form with errors',
    run: (page) => page.locator('#register').getByRole('button', { name: 'Register Agent' }).click({ delay: HOLD }),
  },
];

/** Measures the time from each press of a visit to the next frame, in a browser whose processor is slowed down. */
export async function benchInteractions({ rounds }: BenchOptions): Promise<void> {
  const report = createReport('interactions');
  const { executablePath, args } = await findWholeBrowser();
  const registry = await startRegistry(makeCorpus(MAX_FULL_LIST));
  const screens = {
    desktop: { viewport: { width: 1440, height: 900 } },
    phone: { ...devices['Pixel 7'], viewport: { width: 360, height: 740 } },
  };
  const times = interactions.map(() => ({ desktop: [] as number[], phone: [] as number[] }));
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const screen of ['desktop', 'phone'] as const) {
        const browser = await chromium.launch({ executablePath, args });
        const page = await (await browser.newContext(screens[screen])).newPage();
        await page.addInitScript(collectEvents);
        // The lazy components are loaded, too.
        await page.goto(registry.url, { waitUntil: 'networkidle' });
        const session = await page.context().newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
        for (const [index, { name, only, run }] of interactions.entries()) {
          if (only && only !== screen) continue;
          await run(page);
          await setTimeout(SETTLE);
          const time = await page.evaluate(() => Math.max(0, ...events.splice(0)));
          times[index]?.[screen].push(time);
          console.error(`${screen}, ${round}: ${name} ${time} ms`);
        }
        await browser.close();
      }
    }
  } finally {
    await registry.stop();
  }
  const isMet = (values: readonly number[]) => values.length === 0 || median(values) < FLOOR;
  report.add(
    `Time from a press to the next frame in ms, the longest of its events, at a processor ${SLOWDOWN} times slower: median and maximum of ${rounds} visits to ${count(MAX_FULL_LIST)} agents. 0 is below 16. Floor: a median under ${FLOOR}.`,
  );
  report.addTable(
    'The browser draws without a graphics processor.',
    ['', 'desktop', 'max', 'phone', 'max', 'floor'],
    interactions.map(({ name }, index) => {
      const { desktop = [], phone = [] } = times[index] ?? {};
      const cells = [desktop, phone].flatMap((values) =>
        values.length > 0 ? [count(median(values)), count(Math.max(...values))] : ['', ''],
      );
      return [name, ...cells, isMet(desktop) && isMet(phone) ? 'met' : 'missed'];
    }),
  );
  report.save();
}

/** In the page: the durations of the events of interactions since they were last read. */
declare const events: number[];

function collectEvents(): void {
  const durations: number[] = [];
  Object.assign(globalThis, { events: durations });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      if (entry.interactionId > 0) durations.push(entry.duration);
    }
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}
