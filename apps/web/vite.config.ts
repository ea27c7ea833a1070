import { constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { compression, defineAlgorithm } from 'vite-plugin-compression2';
import { defineConfig } from 'vitest/config';
import { asciiAlone } from '../../scripts/ascii-alone.ts';
import { inlineStyles } from './build/inline-styles.ts';
import { keepIdsOfReact } from './build/keep-ids-of-react.ts';
import { leaveOutFallbacksOfLodash } from './build/leave-out-fallbacks-of-lodash.ts';
import { leaveOutUnusedOfRouter } from './build/leave-out-unused-of-router.ts';
import { loadAfterPaint } from './build/load-after-paint.ts';
import { makeErrorsWithoutPlace } from './build/make-errors-without-place.ts';

// Once for all who start the server, as small as it goes.
const compressed = compression({
  include: /\.(js|svg|webmanifest)$/,
  threshold: 1_024,
  skipIfLargerOrEqual: true,
  algorithms: [
    defineAlgorithm('gzip', { level: 9 }),
    defineAlgorithm('brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  ],
  logLevel: 'silent',
});

export default defineConfig(({ isSsrBuild = false }) => ({
  plugins: [
    react(),
    leaveOutUnusedOfRouter,
    leaveOutFallbacksOfLodash,
    makeErrorsWithoutPlace,
    keepIdsOfReact,
    loadAfterPaint,
    inlineStyles,
    isSsrBuild ? asciiAlone : compressed,
  ],
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist',
    copyPublicDir: !isSsrBuild,
    // The server's too: a process keeps the text of what it runs.
    minify: true,
    // What belongs to which page, for the budget of sizes.
    manifest: !isSsrBuild,
    // Whatever comes from the server is complete with the one file of styles, lazy parts too.
    cssCodeSplit: false,
    // The browsers we are for preload modules themselves.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What the first view needs is one file, which packs better than four.
      output: { codeSplitting: isSsrBuild ? false : { groups: [{ name: 'index', tags: ['$initial'] }] } },
      // Mantine marks each of its files "use client", which means nothing in a bundle.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
  // The server's bundle needs no packages beside it, and of React what is for production.
  ...(isSsrBuild && { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' } }),
  server: {
    port: 5173,
    proxy: { '/api': 'http://127.0.0.1:3000', '/trpc': 'http://127.0.0.1:3000' },
  },
  test: {
    environment: 'jsdom',
    setupFiles: 'src/testing/setup.ts',
    // For what hangs, not for what is slow on a busy machine.
    testTimeout: 60_000,
  },
}));
