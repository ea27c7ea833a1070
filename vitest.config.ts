import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Many tests wait for processes and databases, so that every core can have a file of them.
  test: { projects: ['packages/*', 'apps/*'], maxWorkers: '100%' },
});
