// The backup job of compose.yaml: one file a day in /data, kept for two weeks. It ends if a backup fails, and the
// restart tries again; older files are removed only after a backup. Prometheus reads the time of the last one from port 9464.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const DAY = 24 * 60 * 60 * 1_000;
const KEPT = 14;
const [folder = '/data', registry = '/app/apps/api/dist/registry.js'] = process.argv.slice(2);
const listBackups = () => readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d\.backup$/.test(name));

createServer((_, response) => {
  const newest = Math.max(0, ...listBackups().map((name) => statSync(join(folder, name)).mtimeMs));
  response.setHeader('Content-Type', 'text/plain; version=0.0.4');
  response.end(
    `# TYPE backup_last_success_timestamp_seconds gauge\nbackup_last_success_timestamp_seconds ${newest / 1_000}\n`,
  );
}).listen(9464);

for (;;) {
  const file = join(folder, `${new Date().toISOString().slice(0, 10)}.backup`);
  execFileSync(process.execPath, [registry, 'backup', '--overwrite', file], { stdio: 'inherit' });
  for (const name of listBackups().toSorted().slice(0, -KEPT)) rmSync(join(folder, name));
  await setTimeout(DAY);
}
