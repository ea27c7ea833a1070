import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'jsdom',
    setupFiles: 'src/testing/setup.ts',
    // Catches hanging tests, not slow ones on a busy machine.
    testTimeout: 60_000,
  },
});
