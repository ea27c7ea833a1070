// The backup job of compose.yaml: one file a day in /data, kept for two weeks. It ends if a backup fails, and the
// restart tries again; older files are removed only after a backup.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const DAY = 24 * 60 * 60 * 1_000;
const KEPT = 14;
const [folder = '/data', registry = '/app/apps/api/dist/registry.js'] = process.argv.slice(2);

for (;;) {
  const file = join(folder, `${new Date().toISOString().slice(0, 10)}.backup`);
  execFileSync(process.execPath, [registry, 'backup', '--overwrite', file], { stdio: 'inherit' });
  const backups = readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d\.backup$/.test(name));
  for (const name of backups.toSorted().slice(0, -KEPT)) rmSync(join(folder, name));
  await setTimeout(DAY);
}
