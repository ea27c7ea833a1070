// Runs every check, and names those that failed at the end.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const checks = [
  'oxfmt --check',
  'oxlint --type-aware --type-check',
  'sherif',
  'knip',
  'node scripts/check-expressions.ts',
  'node scripts/tokens.ts',
  'node scripts/settings.ts',
  'node scripts/measures.ts',
];

const failed = checks.filter((command) => {
  console.log(`\n> ${command}`);
  const { status } = spawnSync(command, { cwd: join(import.meta.dirname, '..'), stdio: 'inherit', shell: true });
  return status !== 0;
});
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
