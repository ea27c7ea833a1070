import { defineConfig } from 'tsdown';

// The server is bundled, since one file starts faster than thousands of modules.
export default defineConfig({
  entry: {
    main: 'src/main.ts',
    'render-og-image': 'src/http/site/render-og-image.ts',
    'search-worker': 'src/db/sqlite/search-worker.ts',
    'write-worker': 'src/db/sqlite/write-worker.ts',
  },
  platform: 'node',
  target: 'node24',
  dts: false,
  fixedExtension: false,
  outputOptions: { entryFileNames: '[name].js' },
  deps: { alwaysBundle: /./, neverBundle: ['better-sqlite3', '@resvg/resvg-js', 'piscina', 'satori'] },
  // Names are kept for stack traces.
  minify: { compress: true, mangle: false },
  logLevel: 'error',
});
