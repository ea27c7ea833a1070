import { configDefaults, defineConfig } from 'vitest/config';
import { compileCache } from './src/testing/processes.ts';

export default defineConfig({
  test: {
    // `pnpm soak` also runs the tests that take too long for every run.
    include: [...configDefaults.include, ...(process.env.SOAK_ROUNDS ? ['src/**/*.soak.ts'] : [])],
    env: compileCache,
    globalSetup: ['src/testing/postgres.ts', 'src/testing/sqlite.ts'],
    // No test changes what another file's tests import, and loading it all anew for each file took a fifth of the time.
    isolate: false,
    // Node loads the files itself, as those of a registry, which is quicker than a transform of each.
    experimental: { viteModuleRunner: false },
    // For what hangs, not for what is slow on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
