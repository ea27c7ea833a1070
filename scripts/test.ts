// Every check and every test, and one closing line with their sums.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const vitestResults = join(root, 'test-results/vitest.json');
const playwrightResults = join(root, 'e2e/test-results/results.json');

for (const command of ['pnpm check', 'pnpm turbo run build --output-logs=errors-only']) {
  if (!run(command)) process.exit(1);
}
rmSync(vitestResults, { force: true });
rmSync(playwrightResults, { force: true });
const areUnitsGreen = run(`pnpm vitest run --reporter=default --reporter=json --outputFile=${vitestResults}`);
const isBrowserGreen = run('pnpm --filter @agent-registry/e2e exec playwright test');

const units = readResults(vitestResults) as { numPassedTests: number; numFailedTests: number };
const browser = readResults(playwrightResults) as { stats: { expected: number; unexpected: number; flaky: number } };
const passed = units.numPassedTests + browser.stats.expected + browser.stats.flaky;
const failed = units.numFailedTests + browser.stats.unexpected;
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = areUnitsGreen && isBrowserGreen && failed === 0 ? 0 : 1;

function run(command: string): boolean {
  console.log(`\n> ${command}`);
  return spawnSync(command, { cwd: root, stdio: 'inherit', shell: true }).status === 0;
}

function readResults(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
