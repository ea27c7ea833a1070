import { spawnSync } from 'node:child_process';

/** Runs turbo with arguments, without its telemetry and the notice about it. */
export function runTurbo(args: string): void {
  const { status } = spawnSync(`turbo ${args}`, {
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    shell: true,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
