import { defineConfig } from 'tsdown';

const shared = { platform: 'neutral', clean: false, minify: true, logLevel: 'error' } as const;
const deps = { alwaysBundle: [/^@agent-registry\//] };

// For developers outside this workspace: a module without dependencies, the endpoint table of the contract within, and a
// command that imports it. Their source is the copy that scripts/client-types.ts makes.
export default defineConfig([
  {
    ...shared,
    entry: 'dist/src/index.ts',
    format: { esm: { dts: false }, cjs: { dts: { generator: 'oxc' } } },
    deps,
  },
  {
    ...shared,
    entry: 'dist/src/cli/cli.ts',
    format: 'esm',
    platform: 'node',
    fixedExtension: false,
    dts: false,
    deps: { ...deps, neverBundle: ['../index.ts'] },
    outputOptions: { paths: (id) => (id.endsWith('index.ts') ? './index.js' : id) },
  },
]);
