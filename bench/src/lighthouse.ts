import { MAX_COMPARED, MAX_FULL_LIST, toComparePath } from '@agent-registry/contracts';
import { launch } from 'chrome-launcher';
import lighthouse, { type Result } from 'lighthouse';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { findWholeBrowser, type Browser } from '../../e2e/browser.ts';
import { startRegistry } from '../../e2e/registry.ts';
import type { BenchOptions } from './corpus.ts';
import { count, createReport, median } from './report.ts';

/** The smallest medians that are accepted; the layout must not shift at all. */
const floors = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };
const categories = Object.keys(floors) as (keyof typeof floors)[];
const SMALL = 40;

type Page = { name: string; url: string; results: Result[] };

/** Has Lighthouse visit six pages of the built product in turns, as a phone on a slow network. */
export async function benchLighthouse({ rounds }: BenchOptions): Promise<void> {
  const report = createReport('lighthouse');
  const browser = await findWholeBrowser();
  const small = await startRegistry(makeCorpus(SMALL));
  const agents = [...makeCorpus(MAX_FULL_LIST)];
  const large = await startRegistry(agents);
  const toPage = (name: string, url: string): Page => ({ name, url, results: [] });
  const pages = [
    toPage(`home, ${SMALL} agents`, `${small.url}/`),
    toPage(`home, ${count(MAX_FULL_LIST)} agents`, `${large.url}/`),
    toPage('a category', `${large.url}/?category=vision`),
    toPage('a search', `${large.url}/?q=translation`),
    toPage('an agent', `${large.url}/agent/${agents[7]?.id}`),
    toPage('a comparison', large.url + toComparePath(agents.slice(0, MAX_COMPARED).map(({ id }) => id))),
  ];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const page of pages) {
        // A first visit fills the server's cache.
        await (await fetch(page.url, { headers: { 'accept-encoding': 'br' } })).arrayBuffer();
        // On a busy machine Lighthouse misses the start of a visit now and then.
        const result = await visit(browser, page.url).catch(() => visit(browser, page.url));
        page.results.push(result);
        console.error(`${page.name}, ${round}: performance ${readScore(result, 'performance')}`);
      }
    }
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
  const visits = pages.flatMap(({ results }) => results);
  const speeds = visits.map(({ environment }) => environment.benchmarkIndex);
  report.add(
    `Lighthouse ${visits[0]?.lighthouseVersion}; its benchmark index of the processor was ${count(Math.min(...speeds))} to ${count(Math.max(...speeds))}. Below 1,000, something else was running.`,
  );
  report.addTable(
    `Medians of ${rounds} visits: scores, times in ms, kB over the network. Floors: ${Object.values(floors).join('/')}, CLS 0.`,
    ['', ...categories, 'LCP', 'TBT', 'CLS', 'scripts', 'all', 'floors'],
    pages.map(toCells),
  );
  const failures = findFailures(pages);
  if (failures.length > 0) report.add(`Audits that failed:\n\n${failures.map((line) => `- ${line}`).join('\n')}`);
  report.save();
}

/** Visits a page once with a new browser. Throws if Lighthouse reports an error. */
async function visit({ executablePath, args }: Browser, url: string): Promise<Result> {
  const chrome = await launch({ chromePath: executablePath, chromeFlags: [...args, '--headless=new'] });
  try {
    const found = await lighthouse(url, { port: chrome.port, logLevel: 'error', onlyCategories: categories });
    if (!found || found.lhr.runtimeError) throw new Error(`${url}: ${found?.lhr.runtimeError?.message ?? 'no result'}`);
    return found.lhr;
  } finally {
    chrome.kill();
  }
}

function toCells({ name, results }: Page): string[] {
  const middle = (read: (result: Result) => number) => median(results.map(read));
  const metric = (audit: string) => middle(({ audits }) => audits[audit]?.numericValue ?? Number.NaN);
  const kilobytes = (type: string) => (middle((result) => readTransfer(result, type)) / 1_000).toFixed(1);
  const scores = categories.map((category) => middle((result) => readScore(result, category)));
  const shift = metric('cumulative-layout-shift');
  const isMet = shift === 0 && categories.every((category, index) => (scores[index] ?? 0) >= floors[category]);
  return [
    name,
    ...scores.map(String),
    count(metric('largest-contentful-paint')),
    count(metric('total-blocking-time')),
    shift.toFixed(3),
    kilobytes('script'),
    kilobytes('total'),
    isMet ? 'met' : 'missed',
  ];
}

/** The score of a category, out of 100. */
function readScore(result: Result, category: string): number {
  return Math.round((result.categories[category]?.score ?? 0) * 100);
}

/** The bytes over the network of a type of files, or in total. */
function readTransfer({ audits }: Result, resourceType: string): number {
  const details = audits['resource-summary']?.details as
    | { items?: { resourceType: string; transferSize: number }[] }
    | undefined;
  return details?.items?.find((item) => item.resourceType === resourceType)?.transferSize ?? 0;
}

/** The failed audits of the categories that must have 100, with their pages. */
function findFailures(pages: readonly Page[]): string[] {
  const failures = new Map<string, Set<string>>();
  for (const { name, results } of pages) {
    for (const { audits, categories } of results) {
      for (const category of Object.values(categories)) {
        if (category.id === 'performance') continue;
        for (const { id } of category.auditRefs) {
          const audit = audits[id];
          if (!audit || audit.score === null || audit.score >= 1) continue;
          const line = `${category.title}: ${audit.title} (${id})`;
          failures.set(line, (failures.get(line) ?? new Set()).add(name));
        }
      }
    }
  }
  return [...failures].map(([line, names]) => `${line}: ${[...names].join('; ')}`);
}
