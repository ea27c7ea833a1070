import { constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { compression, defineAlgorithm } from 'vite-plugin-compression2';
import { defineConfig } from 'vite';
import { inlineStyles } from './build/inline-styles.ts';
import { keepStyles } from './build/keep-styles.ts';
import { loadAfterPaint } from './build/load-after-paint.ts';
import { preloadFont } from './build/preload-font.ts';

// Static files are compressed once, at the highest level.
const precompressed = compression({
  include: /\.(js|svg|webmanifest)$/,
  threshold: 1_024,
  skipIfLargerOrEqual: true,
  algorithms: [
    defineAlgorithm('gzip', { level: 9 }),
    defineAlgorithm('brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  ],
  logLevel: 'silent',
});

// The API that `pnpm dev` starts beside this server.
const apiUrl = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

// Mantine's sheet of variables has ten shades and more of each colour.
const unusedColours = [
  'pink',
  'grape',
  'violet',
  'indigo',
  'cyan',
  'teal',
  'lime',
  'orange',
  'yellow',
  'green',
  'blue',
];
const shades = ['filled', 'filled-hover', 'light', 'light-hover', 'light-color', 'outline', 'outline-hover', 'text'];
const unusedVariables = unusedColours.flatMap((colour) =>
  [...shades, ...Array.from({ length: 10 }, (_, shade) => shade)].map((shade) => `--mantine-color-${colour}-${shade}`),
);

export default defineConfig(({ isSsrBuild = false }) => ({
  plugins: [
    react(),
    keepStyles,
    loadAfterPaint,
    inlineStyles,
    !isSsrBuild && preloadFont,
    !isSsrBuild && precompressed,
  ],
  css: { lightningcss: { unusedSymbols: unusedVariables } },
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist',
    copyPublicDir: !isSsrBuild,
    // Read by scripts/size-budget.ts: the chunks of each page.
    manifest: !isSsrBuild,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // One chunk for everything that the entry imports statically: no waterfall of requests.
      output: { codeSplitting: isSsrBuild ? false : { groups: [{ name: 'index', tags: ['$initial'] }] } },
      // Mantine marks each of its files "use client", which has no meaning in a bundle.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
  // The server bundle is self-contained and uses the production build of React.
  ...(isSsrBuild && { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' } }),
  server: {
    port: 5173,
    proxy: { '/api': apiUrl, '/trpc': apiUrl },
  },
}));
