// Runs every check and every test, and prints one line with the totals.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

type VitestResults = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};
type PlaywrightResults = { stats: { expected: number; unexpected: number; flaky: number } };

const root = join(import.meta.dirname, '..');
const vitestResults = join(root, 'test-results/vitest.json');
const playwrightResults = join(root, 'e2e/test-results/results.json');

rmSync(vitestResults, { force: true });
rmSync(playwrightResults, { force: true });
const isBuilt =
  run('pnpm check') &&
  checkDocuments() &&
  run('pnpm turbo run build --output-logs=errors-only') &&
  run('node scripts/size-budget.ts');
// Many tests wait for other processes, so use every core. Vitest ignores this option in project configurations.
const areUnitsGreen =
  isBuilt &&
  run(
    `TEST_BUILD=on pnpm vitest run --maxWorkers=${availableParallelism()} --reporter=default --reporter=json --outputFile=${vitestResults}`,
  );
const isBrowserGreen = isBuilt && run('pnpm --filter @agent-registry/e2e exec playwright test');

const units = readResults(vitestResults) as VitestResults | undefined;
const browser = readResults(playwrightResults) as PlaywrightResults | undefined;
const passed = (units?.numPassedTests ?? 0) + (browser ? browser.stats.expected + browser.stats.flaky : 0);
const failedTests = (units?.numFailedTests ?? 0) + (browser?.stats.unexpected ?? 0);
// A step that failed without a failed test, such as a file that cannot be loaded, counts as one failure.
const failed = failedTests === 0 && !(areUnitsGreen && isBrowserGreen) ? 1 : failedTests;
// Playwright prints its failures last, but Vitest's failures are far above the end of the output.
for (const file of units?.testResults ?? []) {
  const failures = file.assertionResults.filter((test) => test.status === 'failed');
  for (const test of failures) {
    console.log(`\nFAILED ${relative(root, file.name)} > ${test.fullName}\n${test.failureMessages.join('\n')}`);
  }
  if (failures.length === 0 && file.message !== '') {
    console.log(`\nFAILED ${relative(root, file.name)}\n${file.message}`);
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function run(command: string): boolean {
  console.log(`\n> ${command}`);
  return spawnSync(command, { cwd: root, stdio: 'inherit', shell: true }).status === 0;
}

/** Whether every file exists that a document links to or names in backticks; benchmark results are generated. */
function checkDocuments(): boolean {
  const files = globSync('**/*.*', { cwd: root, exclude: ['**/node_modules', '**/dist', '**/test-results'] });
  const missing = files.flatMap((document) => {
    if (!document.endsWith('.md')) return [];
    const text = readFileSync(join(root, document), 'utf8');
    const links = Array.from(text.matchAll(/\]\((?!https?:|#|results\/)([^)#]+)/g), ([, path = '']) => path);
    const names = Array.from(text.matchAll(/(?<!such as )`(\w[\w./-]*\.(?:tsx?|md|json))`/g), ([, name = '']) => name);
    return [
      ...links.filter((path) => !existsSync(join(root, dirname(document), path))),
      ...names.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`))),
    ].map((name) => `${document} names ${name}, which does not exist.`);
  });
  for (const message of missing) console.log(message);
  return missing.length === 0;
}

function readResults(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
