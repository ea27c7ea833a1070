import { defineConfig } from 'tsdown';

// The server is bundled, since one file starts faster than thousands of modules. Packages in `dependencies` are not: they
// have native binaries, threads or files of their own, and are installed where the bundle runs.
export default defineConfig({
  entry: {
    main: 'src/main.ts',
    start: 'src/start.ts',
    registry: 'src/cli/registry.ts',
    'file-worker': 'src/website-files/file-worker.ts',
    'render-og-image': 'src/http/site/render-og-image.ts',
    'search-worker': 'src/db/sqlite/search-worker.ts',
    'write-worker': 'src/db/sqlite/write-worker.ts',
  },
  copy: ['src/http/site/fonts', 'src/http/machine/reference.css', '../../docs/api.md'],
  platform: 'node',
  target: 'node24',
  dts: false,
  fixedExtension: false,
  outputOptions: { entryFileNames: '[name].js' },
  // Names are kept for stack traces.
  minify: { compress: true, mangle: false },
  logLevel: 'error',
});
