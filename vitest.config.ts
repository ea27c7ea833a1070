import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      'packages/*',
      'apps/*',
      'apps/web/vitest.components.config.ts',
      { test: { name: 'scripts', include: ['scripts/*.test.ts'] } },
    ],
  },
});
