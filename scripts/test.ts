// Runs every check and every test, and prints one line with the totals.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';

type VitestResults = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};
type PlaywrightResult = { errors: { message: string }[]; attachments: { name: string; path?: string }[] };
type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs: {
    title: string;
    file: string;
    tests: { projectName: string; status: string; results: PlaywrightResult[] }[];
  }[];
};
type PlaywrightResults = {
  stats: { expected: number; unexpected: number; flaky: number };
  suites: PlaywrightSuite[];
};

const root = join(import.meta.dirname, '..');
const vitestResults = join(root, 'test-results/vitest.json');
const playwrightResults = join(root, 'e2e/test-results/results.json');

rmSync(vitestResults, { force: true });
rmSync(playwrightResults, { force: true });
// The checks run beside everything else. Their output would be lost between that of the tests, so it comes last.
const checking = runSilently('pnpm check');
const missingFiles = findMissingFiles();
const isBuilt =
  (await run('node scripts/build.ts --all')) &&
  (await run('node scripts/size-budget.ts')) &&
  (await run('node scripts/start-size.ts'));
// One after the other: each of them uses all processors.
const areUnitsGreen =
  !isBuilt ||
  // One worker more than processors, since some tests wait; Vitest ignores the number in project configurations.
  (await run(
    `TEST_BUILD=on pnpm vitest run --maxWorkers=${availableParallelism() + 1} --reporter=default --reporter=json --outputFile=${vitestResults}`,
  ));
const isBrowserGreen = !isBuilt || (await run('pnpm --filter @agent-registry/e2e exec playwright test'));
const checks = await checking;

const units = readResults(vitestResults) as VitestResults | undefined;
const browser = readResults(playwrightResults) as PlaywrightResults | undefined;
const passed = (units?.numPassedTests ?? 0) + (browser ? browser.stats.expected + browser.stats.flaky : 0);
const failedUnits = units?.numFailedTests ?? 0;
const failedBrowser = browser?.stats.unexpected ?? 0;
// A step that failed without a failed test, such as a file that cannot be loaded, counts as one failure.
const failedSteps = [
  checks.isGreen,
  missingFiles.length === 0,
  isBuilt,
  areUnitsGreen || failedUnits > 0,
  isBrowserGreen || failedBrowser > 0,
].filter((isGreen) => !isGreen).length;
const failed = failedUnits + failedBrowser + failedSteps;
// Both reporters print failures far above the end of the output.
for (const file of units?.testResults ?? []) {
  const failures = file.assertionResults.filter((test) => test.status === 'failed');
  for (const test of failures) {
    console.log(`\nFAILED ${relative(root, file.name)} > ${test.fullName}\n${test.failureMessages.join('\n')}`);
  }
  if (failures.length === 0 && file.message !== '') {
    console.log(`\nFAILED ${relative(root, file.name)}\n${file.message}`);
  }
}
for (const { title, file, tests } of (browser?.suites ?? []).flatMap(specsOf)) {
  for (const { projectName, results } of tests.filter((test) => test.status === 'unexpected')) {
    const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message));
    const pages = results.flatMap(readPage);
    console.log(`\nFAILED e2e/${file} > ${title} [${projectName}]\n${[...pages, ...messages].join('\n')}`);
  }
}
for (const missing of missingFiles) console.log(`\nFAILED ${missing}`);
if (!checks.isGreen) console.log(`\nFAILED pnpm check\n${checks.output}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function run(command: string): Promise<boolean> {
  console.log(`\n> ${command}`);
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
  const child = spawn(command, { cwd: root, env, stdio: 'inherit', shell: true });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/** Runs a command beside others; its output is not shown. */
async function runSilently(command: string): Promise<{ isGreen: boolean; output: string }> {
  const child = spawn(`${command} 2>&1`, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const [[code], output] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
  return { isGreen: code === 0, output };
}

/** Says which files do not exist that a document links to or names in backticks; benchmark results are generated. */
function findMissingFiles(): string[] {
  const files = globSync('**/*.*', { cwd: root, exclude: ['**/node_modules', '**/dist', '**/test-results'] });
  return files.flatMap((document) => {
    if (!document.endsWith('.md')) return [];
    const text = readFileSync(join(root, document), 'utf8');
    const links = Array.from(text.matchAll(/\]\((?!https?:|#|results\/)([^)#]+)/g), ([, path = '']) => path);
    const names = Array.from(text.matchAll(/(?<!such as )`(\w[\w./-]*\.(?:tsx?|md|json))`/g), ([, name = '']) => name);
    return [
      ...links.filter((path) => !existsSync(join(root, dirname(document), path))),
      ...names.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`))),
    ].map((name) => `${document} names ${name}, which does not exist.`);
  });
}

function specsOf({ suites = [], specs }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** Reads the first lines of the page that a failed test was on, as Playwright describes it to readers. */
function readPage({ attachments }: PlaywrightResult): string[] {
  return attachments.flatMap(({ name, path }) => {
    if (name !== 'error-context' || path === undefined) return [];
    const [, page = ''] = /^```yaml\n(.*?)\n```$/msu.exec(readFileSync(path, 'utf8')) ?? [];
    return page.split('\n').slice(0, 60);
  });
}

function readResults(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
