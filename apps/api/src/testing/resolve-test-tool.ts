import { createRequire } from 'node:module';

/**
 * Resolves a file of the packages in `test-tools`.
 * @throws when they are not installed, with a message of one sentence
 */
export function resolveTestTool(path: string): string {
  try {
    return createRequire(new URL('../../../../test-tools/package.json', import.meta.url)).resolve(path);
  } catch (cause) {
    throw new Error('run `npx -y pnpm@12 install --recursive` first, which installs the tools of the tests', { cause });
  }
}
