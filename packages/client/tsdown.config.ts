import { defineConfig } from 'tsdown';

const deps = { alwaysBundle: [/^@agent-registry\//] };

// For developers outside this workspace: one module without dependencies, the endpoint table of the contract within.
export default defineConfig([
  { entry: 'src/index.ts', format: ['esm', 'cjs'], platform: 'neutral', dts: true, deps, logLevel: 'error' },
  {
    entry: 'src/cli/cli.ts',
    format: 'esm',
    platform: 'node',
    fixedExtension: false,
    dts: false,
    clean: false,
    minify: true,
    deps,
    logLevel: 'error',
  },
]);
