import { constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { compression, defineAlgorithm } from 'vite-plugin-compression2';
import { defineConfig } from 'vitest/config';

// React Router's components that we do not use stay in a bundle, since they are made by a call and are then given a name for
// developers: neither is known to have no effect. This says so of the call and takes the names away.
const leaveOutUnusedOfRouter: Plugin = {
  name: 'leave-out-unused-of-router',
  apply: 'build',
  transform: {
    filter: { id: /\/react-router\/dist\/.*\.mjs$/ },
    handler: (code) =>
      code
        .replaceAll(/^\w+\.displayName = .*;$/gm, '')
        .replaceAll(/ = (React\d*\.forwardRef\()/g, ' = /* @__PURE__ */ $1'),
  },
};

// React makes the errors that it throws to itself while its module runs, by functions that are most of the bundle. A browser that
// is watched, as by its developer tools or by Lighthouse, finds out where an error was made by reading these functions once more,
// which takes as long as all else that the module does. Made so, an error has no such place.
const makeErrorsWithoutPlace: Plugin = {
  name: 'make-errors-without-place',
  apply: 'build',
  transform: {
    filter: { id: /\/react-dom-client\.production\.js$/ },
    handler: (code) =>
      code.replaceAll(
        /(?<==\s*)Error\((formatProdErrorMessage\(\d+\))\)/g,
        'Object.create(Error.prototype, { message: { value: $1 } })',
      ),
  },
};

// The page is complete without scripts: it is painted before they take it over. Where they do not arrive they are asked for
// again, after a second and then after ever longer. They are fetched before they are imported, since browsers from before the
// autumn of 2026 remember for as long as the page is open that an import has failed.
const loadAfterPaint: Plugin = {
  name: 'load-after-paint',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replace(
        /<script type="module" crossorigin src="([^"]+)"><\/script>/,
        `<script>
      const framed = new Promise((resolve) => addEventListener('DOMContentLoaded', () => requestAnimationFrame(resolve)));
      // Where the browser tells of its paints, it does so when they are seen.
      const painted = new Promise((resolve) => {
        new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
        addEventListener('load', () => setTimeout(resolve, 500));
      });
      const fetchScript = () => fetch('$1').then((answer) => (answer.ok ? answer.blob() : Promise.reject(answer)));
      const takeOver = (wait) =>
        fetchScript().then(() => import('$1'), () => setTimeout(takeOver, wait, Math.min(2 * wait, 30_000)));
      Promise.all([framed, painted]).then(() => takeOver(1_000));
    </script>`,
      ),
  },
};

// A page is painted once its own bytes are there, and waits for no other file.
const inlineStyles: Plugin = {
  name: 'inline-styles',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) =>
      html.replace(/<link rel="stylesheet" crossorigin href="\/([^"]+)">/, (link, fileName: string) => {
        const file = bundle[fileName];
        if (file?.type !== 'asset') return link;
        delete bundle[fileName];
        return `<style>${file.source.toString()}</style>`;
      }),
  },
};

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
    makeErrorsWithoutPlace,
    loadAfterPaint,
    inlineStyles,
    ...(isSsrBuild ? [] : [compressed]),
  ],
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist',
    copyPublicDir: !isSsrBuild,
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
    setupFiles: 'src/test/setup.ts',
  },
}));
