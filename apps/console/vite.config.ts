import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  build: {
    modulePreload: { polyfill: false },
    // The page comes from this machine.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      // Mantine marks each of its files "use client", which has no meaning in a bundle.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
