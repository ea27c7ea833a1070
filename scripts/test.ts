// Installs, runs the checks and the tests, and prints the seconds of each step and one line with the totals. `--all` runs
// every test; CONTRIBUTING.md says which tests run without it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, tmpdir } from 'node:os';
import { existsSync, globSync, readFileSync, rmSync, statfsSync } from 'node:fs';
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
const runsAll = process.argv.includes('--all');
const vitestResults = join(root, 'test-results/vitest.json');
const playwrightResults = join(root, 'e2e/test-results/results.json');

type Step = { name: string; seconds: number; isGreen: boolean };
const steps: Step[] = [];

rmSync(vitestResults, { force: true });
rmSync(playwrightResults, { force: true });
let checkOutput = '';
if (await time('installation', () => run('pnpm install --recursive'))) {
  // The checks run beside everything else. Their output would be lost between that of the tests, so it comes last.
  const checking = time('checks', async () => {
    const missing = findMissingFiles();
    const { isGreen, output } = await runSilently('pnpm check');
    checkOutput = [...(isGreen ? [] : [output]), ...missing].join('\n');
    return checkOutput === '';
  });
  if (await time('build', build)) {
    // One after the other: each of them uses all processors.
    await time('units', () =>
      // One worker more than processors, since some tests wait; Vitest ignores the number in project configurations.
      run(
        `TEST_BUILD=on TMPDIR=${findTemporaryFolder()} pnpm vitest run --maxWorkers=${availableParallelism() + 1} --reporter=default --reporter=json --outputFile=${vitestResults}`,
      ),
    );
    await time('browser', () => run('pnpm --filter @agent-registry/e2e exec playwright test'));
  }
  await checking;
}

const units = readResults(vitestResults) as VitestResults | undefined;
const browser = readResults(playwrightResults) as PlaywrightResults | undefined;
const passed = (units?.numPassedTests ?? 0) + (browser ? browser.stats.expected + browser.stats.flaky : 0);
const failedTests: Record<string, number> = {
  units: units?.numFailedTests ?? 0,
  browser: browser?.stats.unexpected ?? 0,
};
// A step that failed without a failed test, such as a file that cannot be loaded, counts as one failure.
const failed = steps.reduce((sum, { name, isGreen }) => sum + Math.max(failedTests[name] ?? 0, isGreen ? 0 : 1), 0);
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
  for (const { projectName } of tests.filter((test) => test.status === 'flaky')) {
    console.log(`\nPASSED AT THE SECOND TRY e2e/${file} > ${title} [${projectName}]`);
  }
  for (const { projectName, results } of tests.filter((test) => test.status === 'unexpected')) {
    const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message));
    const pages = results.flatMap(readPage);
    console.log(`\nFAILED e2e/${file} > ${title} [${projectName}]\n${[...pages, ...messages].join('\n')}`);
  }
}
if (checkOutput !== '') console.log(`\nFAILED pnpm check\n${checkOutput}`);
const ended = steps.map(({ name, seconds, isGreen }) => `${name} ${seconds} s${isGreen ? '' : ' FAILED'}`);
console.log(`\n${ended.join(', ')}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs a step and notes how long it takes. */
async function time(name: string, step: () => Promise<boolean>): Promise<boolean> {
  const began = performance.now();
  const isGreen = await step();
  steps.push({ name, seconds: Math.round((performance.now() - began) / 1_000), isGreen });
  return isGreen;
}

async function build(): Promise<boolean> {
  return (
    (await run('node scripts/build.ts --all')) &&
    (await run('node scripts/size-budget.ts')) &&
    (await run('node scripts/start-size.ts'))
  );
}

async function run(command: string): Promise<boolean> {
  console.log(`\n> ${command}`);
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...(runsAll && { TEST_TIER: 'all' }) };
  const child = spawn(command, { cwd: root, env, stdio: 'inherit', shell: true });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/** In memory, where that has room: the tests write thousands of databases. With `--all` they are on the disk. */
function findTemporaryFolder(): string {
  const memory = '/dev/shm';
  if (runsAll || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir();
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
