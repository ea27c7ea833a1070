import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** The tests of components, each file with a document of its own, which React keeps. */
export default defineConfig({
  plugins: [react()],
  test: {
    name: '@agent-registry/web components',
    include: ['src/**/*.test.tsx'],
    environment: 'jsdom',
    setupFiles: 'src/testing/setup.ts',
    // Catches hanging tests, not slow ones on a busy machine.
    testTimeout: 60_000,
  },
});
