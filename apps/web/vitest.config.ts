import { defineConfig } from 'vitest/config';

/** The tests without components; a file that needs a document names jsdom in its first line. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    isolate: false,
    // Catches hanging tests, not slow ones on a busy machine.
    testTimeout: 60_000,
  },
});
