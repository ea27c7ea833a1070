import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig(({ isSsrBuild = false }) => ({
  plugins: [react()],
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist',
    copyPublicDir: !isSsrBuild,
    // What belongs to which page, for the server's entry and the budget of sizes.
    manifest: !isSsrBuild,
    // Whatever comes from the server is complete with the one file of styles, lazy parts too.
    cssCodeSplit: false,
    rolldownOptions: {
      ...(isSsrBuild && { output: { codeSplitting: false } }),
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
