import { constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { compression, defineAlgorithm } from 'vite-plugin-compression2';
import { defineConfig } from 'vite';
import { inlineStyles, loadAfterPaint, preloadFont } from './build/index-html.ts';
import { nameChunk } from './build/split-code.ts';

// Static files are compressed once, at the highest level.
const precompressed = compression({
  include: /\.(css|js|svg|webmanifest)$/,
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

// Mantine's sheet has variables that no rule here uses, and those that the theme sets itself.
const unusedColours = ['pink', 'grape', 'violet', 'indigo', 'cyan', 'teal', 'lime', 'orange', 'yellow', 'green'];
const shades = ['filled', 'filled-hover', 'light', 'light-hover', 'light-color', 'outline', 'outline-hover', 'text'];
const numbers = Array.from({ length: 10 }, (_, shade) => shade);
const toVariables = (name: string, parts: readonly (string | number)[]) =>
  parts.map((part) => `--mantine-${name}-${part}`);
const unusedVariables = [
  ...unusedColours.flatMap((colour) => toVariables(`color-${colour}`, [...shades, ...numbers])),
  ...['dark', 'gray', 'red'].flatMap((colour) => toVariables(`color-${colour}`, shades.slice(1))),
  ...['dark', 'blue'].flatMap((colour) => toVariables(`color-${colour}`, numbers)),
  ...toVariables('primary-color', numbers),
  ...toVariables('color-gray', [5, 8]),
  ...toVariables('color-red', [0, 1, 2, 3, 4, 5, 7, 9]),
  ...toVariables('color', ['body', 'anchor', 'error', 'success']),
  ...toVariables('color-default', ['color', 'hover', 'border']),
  '--mantine-color-default',
  ...toVariables('radius', ['default', 'xs', 'sm', 'md', 'lg', 'xl']),
  ...toVariables('shadow', ['xs', 'sm', 'md', 'lg']),
  ...toVariables('heading', ['font-weight', 'text-wrap']),
  ...toVariables('font', ['family', 'family-headings', 'weight-medium', 'weight-bold']),
  '--mantine-cursor-type',
  ...toVariables('h3', ['font-size', 'font-weight']),
  ...toVariables('z-index', ['app', 'modal', 'popover', 'overlay', 'max']),
  ...['breakpoint', 'spacing', 'font-size'].flatMap((name) => toVariables(name, ['xs', 'sm', 'md', 'lg', 'xl'])),
  ...['h1', 'h2', 'h4', 'h5', 'h6'].flatMap((name) => toVariables(name, ['font-size', 'line-height', 'font-weight'])),
];

export default defineConfig(({ isSsrBuild = false }) => ({
  plugins: [react(), loadAfterPaint, inlineStyles, !isSsrBuild && preloadFont, !isSsrBuild && precompressed],
  css: { lightningcss: { unusedSymbols: unusedVariables } },
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist',
    // Two builds have their entry there.
    emptyOutDir: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    // Read by scripts/size-budget.ts: the chunks of each page.
    manifest: !isSsrBuild,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    rolldownOptions: {
      // The thread that serves requests loads only the functions of the web app that it calls, without React.
      ...(isSsrBuild && { treeshake: { moduleSideEffects: false, manualPureFunctions: ['createRequiredContext'] } }),
      output: {
        codeSplitting: isSsrBuild ? false : { groups: [{ name: 'index', tags: ['$initial'] }, { name: nameChunk }] },
      },
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
