import { defineConfig } from 'tsdown';

// What a process runs: everything in a few files, since a start from some thousand modules takes several times as long.
export default defineConfig({
  entry: {
    server: 'src/server.ts',
    'sqlite-search-worker': 'src/db/sqlite-search-worker.ts',
    'sqlite-write-worker': 'src/db/sqlite-write-worker.ts',
  },
  platform: 'node',
  target: 'node24',
  dts: false,
  fixedExtension: false,
  outputOptions: { entryFileNames: '[name].js' },
  deps: { alwaysBundle: /./, neverBundle: ['better-sqlite3', '@resvg/resvg-js'] },
  logLevel: 'error',
});
