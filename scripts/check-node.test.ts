import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>;
};

test.each(Object.entries(optionalDependencies))(
  'the lockfile has the integrity and the platform of %s',
  (name, version) => {
    const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
    const [, entry = ''] = lockfile.split(`\n  ${name}@${version}:\n`);
    expect(entry.split('\n\n')[0]).toMatch(/^ +resolution: \{integrity: sha512-\S+\}\n +cpu: \[\w+\]\n +os: \[\w+\]$/m);
  },
);

test('an installation without Node 24 says so in one sentence and fails', () => {
  const older = 'Object.defineProperty(process, "versions", { value: { node: "22.9.0" } })';
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${older}`, join(import.meta.dirname, 'check-node.js')],
    { encoding: 'utf8' },
  );
  expect(stderr).toMatch(/^This needs Node\.js 24 or newer.*\n$/);
  expect(status).toBe(1);
});
