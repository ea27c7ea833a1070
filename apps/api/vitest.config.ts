import { defineConfig } from 'vitest/config';

export default defineConfig({
  // No test changes what another file's tests import, and loading it all anew for each file took a fifth of the time.
  test: { globalSetup: 'src/db/test-postgres.ts', isolate: false },
});
