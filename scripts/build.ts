// Builds the server, the web app and the console, which is all that a start needs; `--all` builds every package.
import { spawnSync } from 'node:child_process';

const filter = process.argv.includes('--all') ? '' : '--filter=./apps/*';
const { status } = spawnSync(`turbo run build ${filter} --output-logs=errors-only`, {
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  shell: true,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
