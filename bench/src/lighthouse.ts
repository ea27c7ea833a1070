import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch } from 'chrome-launcher';
import lighthouse, { type RunnerResult } from 'lighthouse';
import { chromium } from 'playwright-core';
import { findWholeBrowser, type Browser } from '../../e2e/browser.ts';
import type { BenchOptions } from './corpus-database.ts';
import { measureFrames, printFrames, type FrameRow } from './lighthouse-frames.ts';
import { describeVisits, printVisits, readScore, scoreAims, type Visits } from './lighthouse-report.ts';
import { startSites, warmUp, type Page } from './lighthouse-sites.ts';
import { readBlockingByProcessor } from './lighthouse-trace.ts';
import { describeMachine } from './report.ts';

/** Has Lighthouse visit the pages of the built product as a phone, in turns, and watches the frames of the largest home. */
export async function benchLighthouse({ rounds, only, reports }: BenchOptions): Promise<void> {
  const browser = await findWholeBrowser();
  const sites = await startSites();
  const visits: Visits[] = sites.pages
    .filter(({ name }) => only.test(name))
    .map((page) => ({
      page,
      results: [],
      blocking: [],
    }));
  let frames: FrameRow[] = [];
  // What was measured is printed whatever happens later.
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const { page, results, blocking } of visits) {
        await warmUp(page);
        const report = reports && join(reports, `${page.name}, ${round}.html`);
        const found = await visit(browser, page, report).catch((error: Error) => {
          // On a busy machine it misses the beginning of a visit now and then, and asks to be run again.
          console.error(`${error.message} Once more:`);
          return visit(browser, page, report);
        });
        results.push(found.lhr);
        blocking.push(readBlockingByProcessor(found));
        console.error(`${page.name}, ${round}: performance ${readScore(found.lhr, 'performance')}`);
      }
    }
    frames = await measureFrames(browser, sites.largeHome, { rounds, only });
  } finally {
    await sites.stop();
    const measured = visits.filter(({ results }) => results.length > 0);
    console.log(
      `\n${describeMachine()}, Chromium ${await readVersion(browser)}${describeVisits(measured)}. Rounds: ${rounds}.`,
    );
    printVisits(measured);
    printFrames(frames);
  }
}

/** Visits a page once with a new browser: Lighthouse's own settings are a phone on a slow network, as it simulates them. */
async function visit(
  { executablePath, args }: Browser,
  { name, url }: Page,
  report: string | undefined,
): Promise<RunnerResult> {
  const chrome = await launch({ chromePath: executablePath, chromeFlags: [...args, '--headless=new'] });
  try {
    const found = await lighthouse(url, {
      port: chrome.port,
      logLevel: 'error',
      output: 'html',
      onlyCategories: Object.keys(scoreAims),
    });
    if (!found || found.lhr.runtimeError)
      throw new Error(`${name}: ${found?.lhr.runtimeError?.message ?? 'no result'}`);
    if (report) {
      await mkdir(join(report, '..'), { recursive: true });
      await writeFile(report, String(found.report));
    }
    return found;
  } finally {
    chrome.kill();
  }
}

async function readVersion(browser: Browser): Promise<string> {
  const running = await chromium.launch(browser);
  try {
    return running.version();
  } finally {
    await running.close();
  }
}
