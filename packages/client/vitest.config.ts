import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // No test changes what another file's tests import.
    isolate: false,
    // As in apps/api.
    experimental: { viteModuleRunner: false },
    globalSetup: '../../apps/api/src/testing/sqlite.ts',
    // For what hangs, not for what is slow on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
