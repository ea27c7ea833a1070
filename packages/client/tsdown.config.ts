import { defineConfig } from 'tsdown';

// For developers outside this workspace: one module without dependencies, the endpoint table of the contract within.
export default defineConfig({
  entry: 'src/index.ts',
  format: ['esm', 'cjs'],
  platform: 'neutral',
  dts: true,
  deps: { alwaysBundle: [/^@agent-registry\//] },
  logLevel: 'error',
});
