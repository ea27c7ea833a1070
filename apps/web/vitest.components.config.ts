import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** The tests of components, which need a document. */
export default defineConfig({
  plugins: [react()],
  test: {
    name: '@agent-registry/web components',
    include: ['src/**/*.test.tsx'],
    environment: 'jsdom',
    // Each file would load React, Mantine and jsdom anew, which takes longer than its tests.
    isolate: false,
    setupFiles: 'src/testing/setup.ts',
    // Catches hanging tests, not slow ones on a busy machine.
    testTimeout: 60_000,
  },
});
