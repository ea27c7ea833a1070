import { defineConfig } from 'tsdown';

// For developers outside this workspace: one module and one file of types, the contract and the router's type within.
export default defineConfig({
  entry: 'src/index.ts',
  platform: 'neutral',
  tsconfig: '../../tsconfig.client.json',
  dts: true,
  deps: { alwaysBundle: [/^@agent-registry\//], neverBundle: ['zod', /^@trpc\//] },
  logLevel: 'error',
});
