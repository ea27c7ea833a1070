import { chromium, type Page as BrowserPage } from 'playwright-core';
import type { Browser } from '../../e2e/browser.ts';
import type { BenchOptions } from './corpus-database.ts';
import { warmUp, type Page } from './lighthouse-sites.ts';
import { count, ms, printTable } from './report.ts';
import { max, median } from './timing.ts';

/** Cards that a press of Load More Agents adds. */
const CARDS_PER_PAGE = 12;

/** What a visitor does, and what was seen of the frames each time. */
export type FrameRow = { name: string; samples: FrameSample[] };

/** What was seen of one press of a key or button; all in milliseconds. */
type FrameSample = {
  /** The longest time between two frames. */
  longest: number;
  /** From each event to the next paint, in steps of 8. */
  paints: number[];
  /** The frames of 50 or more, as the browser counts them: from the beginning of the work to the end of the paint. */
  longFrames: number[];
};

/** How many times slower the processor is made. */
const SLOWDOWN = 4;
/** What a frame is to stay below, in milliseconds. */
const FRAME_AIM = 50;
const PRESSES = 10;
const TYPED = 'Reads files, ';
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const textFields = ['name', 'description', 'capabilities', 'contactEmail', 'website'];
const choices = ['category', 'pricingModel', 'apiAccess'];

declare global {
  interface Window {
    /** Ends the watch over the frames and gives what was seen. */
    endWatch(): FrameSample;
  }
}

/**
 * Watches frames on a slowed processor while more agents are loaded and the form is filled in, in a new browser each round;
 * in turns with the same page without its scripts, which is the least that the browser takes.
 */
export async function measureFrames(
  browser: Browser,
  home: Page,
  { rounds, only }: Pick<BenchOptions, 'rounds' | 'only'>,
): Promise<FrameRow[]> {
  const rows = new Map<string, FrameSample[]>();
  const add = async (name: string, act: () => Promise<FrameSample>) => {
    rows.set(name, [...(rows.get(name) ?? []), await act()]);
  };
  const isAsked = ['Load More Agents', 'typing'].filter((name) => only.test(name));
  if (isAsked.length === 0) return [];
  await warmUp(home);
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`frames, ${round}`);
    await inNewBrowser(browser, async (page) => {
      await page.goto(home.url);
      await page.getByRole('button', { name: 'Save Draft', disabled: false }).waitFor();
      await slowDown(page);
      for (let press = 1; press <= PRESSES; press += 1) await add('Load More Agents', () => loadMore(page));
      if (!isAsked.includes('typing')) return;
      await fillIn(page, 'typing', add);
      await page.locator('#register [type=submit]').click();
      await page.locator('#register [aria-invalid=true]').first().waitFor();
      await fillIn(page, 'typing, refused', add);
    });
    await inNewBrowser(browser, async (page) => {
      await page.route('**/*.js', (route) => route.abort());
      await page.goto(home.url);
      await addCopies(page);
      await slowDown(page);
      for (let press = 1; press <= PRESSES; press += 1) {
        await add('Load More Agents, without scripts', () => loadMore(page));
      }
      if (isAsked.includes('typing')) await fillIn(page, 'typing, without scripts', add);
    });
  }
  return [...rows].map(([name, samples]) => ({ name, samples }));
}

async function inNewBrowser(browser: Browser, use: (page: BrowserPage) => Promise<void>): Promise<void> {
  const running = await chromium.launch(browser);
  try {
    await use(await running.newPage(phone));
  } finally {
    await running.close();
  }
}

async function slowDown(page: BrowserPage): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
}

/** Has the button of a page without scripts bring copies of a card, one a frame, as the page itself draws new cards. */
async function addCopies(page: BrowserPage): Promise<void> {
  await page.getByRole('button', { name: 'Load More Agents' }).evaluate((button, copies) => {
    const card = document.querySelector('#browse article')?.parentElement;
    button.addEventListener('click', (press) => {
      press.preventDefault();
      let left = copies;
      requestAnimationFrame(function draw() {
        card?.parentElement?.append(card.cloneNode(true));
        left -= 1;
        if (left > 0) requestAnimationFrame(draw);
      });
    });
  }, CARDS_PER_PAGE);
}

/** Prints what was seen of frames. */
export function printFrames(rows: readonly FrameRow[]): void {
  printTable(
    `Frames of home with 2,000 agents on a processor slowed ${SLOWDOWN} times, in ms: the longest at each press, from an event to the next paint, and frames of ${FRAME_AIM} or more`,
    ['', 'presses', 'longest p50', 'max', 'event to paint p50', 'max', 'long frames', 'max', `all < ${FRAME_AIM}`],
    rows.map(({ name, samples }) => {
      const longest = samples.map((sample) => sample.longest);
      const paints = samples.flatMap((sample) => sample.paints);
      const longFrames = samples.flatMap((sample) => sample.longFrames);
      return [
        name,
        count(samples.length),
        ...[median(longest), max(longest)].map(ms),
        ...(paints.length > 0 ? [median(paints), max(paints)].map(ms) : ['', '']),
        count(longFrames.length),
        longFrames.length > 0 ? ms(max(longFrames)) : '',
        longFrames.every((frame) => frame < FRAME_AIM) ? 'yes' : 'no',
      ];
    }),
  );
}

/** Presses the button, and waits for the cards that come. */
async function loadMore(page: BrowserPage): Promise<FrameSample> {
  const button = page.getByRole('button', { name: 'Load More Agents' });
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (!box) throw new Error('There is no button to load more.');
  const cards = await beginWatch(page);
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  return endWatch(page, cards + CARDS_PER_PAGE);
}

/** Presses keys in each field of the form. */
async function fillIn(
  page: BrowserPage,
  name: string,
  add: (name: string, act: () => Promise<FrameSample>) => Promise<void>,
): Promise<void> {
  const fields = [
    ...textFields.map((field) => ({ field, keys: Array.from(TYPED) })),
    ...choices.map((field) => ({ field, keys: ['ArrowDown', 'ArrowUp', 'ArrowDown', 'ArrowUp'] })),
  ];
  for (const { field, keys } of fields) {
    await page.locator(`#register [name=${field}]`).focus();
    for (const key of keys) {
      await add(`${name}: ${field}`, async () => {
        const cards = await beginWatch(page);
        await page.keyboard.press(key);
        return endWatch(page, cards);
      });
    }
  }
}

/** Begins to watch the frames, and gives the number of cards. */
async function beginWatch(page: BrowserPage): Promise<number> {
  return page.evaluate(async () => {
    // What the benchmark itself has just asked of the page is no part of the frames that it watches.
    for (let frames = 0; frames < 3; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const sample: FrameSample = { longest: 0, paints: [], longFrames: [] };
    const take = (entries: PerformanceEntryList) => {
      for (const { entryType, duration } of entries) {
        (entryType === 'event' ? sample.paints : sample.longFrames).push(duration);
      }
    };
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type: 'long-animation-frame' });
    // The types of the DOM do not know the option yet; the least that browsers take is 16.
    const events: PerformanceObserverInit & { durationThreshold: number } = { type: 'event', durationThreshold: 16 };
    observer.observe(events);
    let last: number | undefined;
    let next = requestAnimationFrame(function see(now) {
      sample.longest = Math.max(sample.longest, now - (last ?? now));
      last = now;
      next = requestAnimationFrame(see);
    });
    window.endWatch = () => {
      cancelAnimationFrame(next);
      take(observer.takeRecords());
      observer.disconnect();
      return sample;
    };
    return document.querySelectorAll('#browse article').length;
  });
}

/** Waits until there are so many cards and the browser has told of all its frames, and gives what was seen. */
async function endWatch(page: BrowserPage, cards: number): Promise<FrameSample> {
  return page.evaluate(async (cards) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    while (document.querySelectorAll('#browse article').length < cards) await frame();
    // It tells of a frame some frames later.
    for (let frames = 0; frames < 6; frames += 1) await frame();
    return window.endWatch();
  }, cards);
}
