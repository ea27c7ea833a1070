import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from './browser.ts';

const { executablePath, args } = await findBrowser();
/** Whether this is `pnpm test --all`. */
const runsAll = process.env.TEST_TIER === 'all';

export default defineConfig({
  testDir: '.',
  fullyParallel: true,
  forbidOnly: !!process.env.CI,
  workers: 2,
  // For a browser that stops on a busy machine: such a test is named at the end of the run.
  retries: 1,
  // Generous, for a busy machine; no test asserts durations.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // A test compares with what it has drawn itself.
  snapshotPathTemplate: 'test-results/snapshots/{testFilePath}/{projectName}/{arg}{ext}',
  reporter: [['list'], ['json', { outputFile: 'test-results/results.json' }]],
  use: {
    launchOptions: { executablePath, args },
    reducedMotion: 'reduce',
    // Tracing slows every test down; the workflow keeps the traces.
    trace: process.env.GITHUB_ACTIONS ? 'retain-on-failure' : 'off',
  },
  projects: [
    {
      name: 'desktop',
      grepInvert: runsAll ? /@phone/ : /@phone|@all/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'phone',
      grep: runsAll ? /./ : /@phone|@layout/,
      grepInvert: runsAll ? /@desktop/ : /@desktop|@all/,
      use: { ...devices['Pixel 7'], viewport: { width: 360, height: 740 } },
    },
  ],
});
