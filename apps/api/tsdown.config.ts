import { defineConfig, type Rolldown } from 'tsdown';
import { asciiAlone } from '../../scripts/ascii-alone.ts';

// tRPC is compiled for engines without object spread, and spreads some ten times for a call: with the helper that stands in
// for it, that took a tenth of the time of an answer.
const spreadAtOnce: Rolldown.Plugin = {
  name: 'spread-at-once',
  transform: {
    filter: { id: /\/@trpc\/server\/dist\/.*\.mjs$/ },
    handler: (code) =>
      code.replace(
        'function _objectSpread2(e) {',
        'function _objectSpread2(target, ...sources) { return Object.assign(target, ...sources); }\nfunction _spreadSlowly(e) {',
      ),
  },
};

// An import of node:http reads all that it exports, and so loads Node's client of HTTP with all of its own, a tenth of the start.
const httpAlone: Rolldown.Plugin = {
  name: 'http-alone',
  resolveId: {
    filter: { id: /^node:http$/ },
    handler: (id, _importer, { kind }) => (kind === 'import-statement' ? `\0${id}` : undefined),
  },
  load: {
    filter: { id: /^\0node:http$/ },
    handler: () =>
      `export const { IncomingMessage, METHODS, STATUS_CODES, ServerResponse, createServer } = process.getBuiltinModule('node:http');`,
  },
};

// What a process runs: everything in a few files, since a start from some thousand modules takes several times as long.
export default defineConfig({
  entry: {
    start: 'src/start.ts',
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
  // Names stay, for the log.
  minify: { compress: true, mangle: false },
  plugins: [spreadAtOnce, httpAlone, asciiAlone],
  logLevel: 'error',
});
