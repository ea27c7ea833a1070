import { defineConfig } from 'tsdown';

const deps = { alwaysBundle: [/^@agent-registry\//] };

// For developers outside this workspace: one module without dependencies, the endpoint table of the contract within. Its
// source is the copy that scripts/client-types.ts makes.
export default defineConfig([
  {
    entry: 'dist/src/index.ts',
    format: { esm: { dts: false }, cjs: { dts: { generator: 'oxc' } } },
    platform: 'neutral',
    clean: false,
    deps,
    logLevel: 'error',
  },
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
