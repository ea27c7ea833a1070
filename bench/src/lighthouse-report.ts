import type { Result } from 'lighthouse';
import type { Page } from './lighthouse-sites.ts';
import { count, printTable } from './report.ts';
import { max, median, min } from './timing.ts';

/** What Lighthouse found of a page, and what `readBlockingByProcessor` did, visit by visit. */
export type Visits = { page: Page; results: Result[]; blocking: number[] };

/** The scored categories, and the least that each is to have. */
export const scoreAims = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };
/** What metrics are to stay below, in milliseconds; shifts of the layout are to be none. */
const LCP_AIM = 1_500;
const TBT_AIM = 100;

/** The score of a category, of 100. */
export function readScore({ categories }: Result, category: string): number {
  return Math.round((categories[category]?.score ?? 0) * 100);
}

function readMetric({ audits }: Result, audit: string): number {
  return audits[audit]?.numericValue ?? Number.NaN;
}

/** What came over the network of a type of files, or in total, in bytes. */
function readTransfer({ audits }: Result, resourceType: string): number {
  return readItems(audits['resource-summary']).find((item) => item.resourceType === resourceType)?.transferSize ?? 0;
}

type Audit = Result['audits'][string];
/** What audits tell in tables, as far as it is read here. */
type Item = {
  resourceType?: string;
  transferSize?: number;
  type?: string;
  snippet?: string;
  node?: { snippet?: string };
  description?: string;
};

function readItems(audit: Audit | undefined): Item[] {
  return (audit?.details as { items?: Item[] } | undefined)?.items ?? [];
}

/** The version of Lighthouse, and how fast it found the processor in its visits, lowest and highest. */
export function describeVisits(visits: readonly Visits[]): string {
  const results = visits.flatMap(({ results }) => results);
  if (!results[0]) return '';
  const indexes = results.map(({ environment }) => environment.benchmarkIndex);
  return `, Lighthouse ${results[0].lighthouseVersion}, its benchmark index ${count(min(indexes))} to ${count(max(indexes))}`;
}

/** Prints what Lighthouse found: a table, what failed, and what would make the slowest page faster. */
export function printVisits(visits: readonly Visits[]): void {
  printTable(
    'Lighthouse, mobile: scores (median, worst), times in ms and transferred kB (median)',
    [
      '',
      ...Object.keys(scoreAims),
      'LCP',
      'CLS',
      'TBT',
      'by processor',
      'FCP',
      'Speed Index',
      'scripts',
      'all',
      'aims met',
    ],
    visits.length === 0 ? [] : [toAims(), ...visits.map(toRow)],
  );
  printFailures(visits);
  printWorst(visits);
}

function toAims(): string[] {
  const scores = Object.values(scoreAims).map((aim) => (aim === 100 ? '100' : `≥ ${aim}`));
  return ['aim', ...scores, `< ${count(LCP_AIM)}`, '0', `< ${TBT_AIM}`];
}

function toRow({ page, results, blocking }: Visits): string[] {
  const middle = (read: (result: Result) => number) => median(results.map(read));
  const metric = (audit: string) => middle((result) => readMetric(result, audit));
  const transfer = (type: string) => (middle((result) => readTransfer(result, type)) / 1_000).toFixed(1);
  const scores = Object.entries(scoreAims).map(([category, aim]) => {
    const found = results.map((result) => readScore(result, category));
    return { category, aim, middle: median(found), worst: min(found) };
  });
  const lcp = metric('largest-contentful-paint');
  const tbt = metric('total-blocking-time');
  const cls = metric('cumulative-layout-shift').toFixed(3);
  const missed = [
    ...scores.filter(({ middle, aim }) => middle < aim).map(({ category }) => category),
    ...(lcp < LCP_AIM ? [] : ['LCP']),
    ...(Number(cls) === 0 ? [] : ['CLS']),
    ...(tbt < TBT_AIM ? [] : ['TBT']),
  ];
  return [
    page.name,
    ...scores.map(({ middle, worst }) => `${middle}, ${worst}`),
    count(lcp),
    cls,
    count(tbt),
    count(median(blocking)),
    count(metric('first-contentful-paint')),
    count(metric('speed-index')),
    transfer('script'),
    transfer('total'),
    missed.length === 0 ? 'yes' : `no: ${missed.join(', ')}`,
  ];
}

/** Tells what is to be mended for the scores that are to be 100, and on which pages; what has no weight is told too. */
function printFailures(visits: readonly Visits[]): void {
  const failures = new Map<string, Set<string>>();
  for (const { page, results } of visits) {
    for (const { audits, categories } of results) {
      for (const [id, { title: category, auditRefs }] of Object.entries(categories)) {
        if (id === 'performance') continue;
        for (const { id, weight } of auditRefs) {
          const audit = audits[id];
          if (!audit || audit.score === null || audit.score >= 1) continue;
          const [first] = readItems(audit);
          const example = first?.node?.snippet ?? first?.description;
          const line = `${category}${weight > 0 ? '' : ', not scored'}: ${audit.title} (${id})${example ? `, such as \`${example}\`` : ''}`;
          failures.set(line, (failures.get(line) ?? new Set()).add(page.name));
        }
      }
    }
  }
  if (failures.size > 0) console.log('\nAudits that failed:\n');
  for (const [line, pages] of failures) console.log(`- ${line}: ${[...pages].join('; ')}`);
}

/** Tells what would make the page with the lowest score faster, as its slowest visit says. */
function printWorst(visits: readonly Visits[]): void {
  const score = (result: Result) => readScore(result, 'performance');
  const [worst] = visits.toSorted((a, b) => median(a.results.map(score)) - median(b.results.map(score)));
  const [result] = worst?.results.toSorted((a, b) => score(a) - score(b)) ?? [];
  if (!worst || !result) return;
  const { audits, categories } = result;
  const opportunities = (categories.performance?.auditRefs ?? [])
    .filter(({ group }) => group === 'insights' || group === 'diagnostics')
    .flatMap(({ id }) => audits[id] ?? [])
    .filter((audit) => audit.score !== null && audit.score < 1)
    .map(({ title, displayValue, metricSavings = {} }) => ({ title, displayValue, savings: metricSavings }))
    .toSorted((a, b) => largestOf(b.savings) - largestOf(a.savings));
  const largest = readItems(audits['lcp-breakdown-insight']).find(({ type }) => type === 'node')?.snippet;
  console.log(`\nThe slowest visit of ‘${worst.page.name}’, performance ${score(result)}:\n`);
  if (largest) console.log(`- The largest paint is \`${largest}\``);
  for (const { title, displayValue, savings } of opportunities) {
    const saved = Object.entries(savings)
      .filter(([, saving = 0]) => saving > 0)
      .map(([metric, saving = 0]) => `${metric} by ${metric === 'CLS' ? saving.toFixed(3) : `${count(saving)} ms`}`);
    console.log(
      `- ${title}${displayValue ? `: ${displayValue}` : ''}${saved.length > 0 ? ` (${saved.join(', ')})` : ''}`,
    );
  }
}

function largestOf(savings: NonNullable<Audit['metricSavings']>): number {
  return Math.max(0, ...Object.values(savings).map((saving = 0) => saving));
}
