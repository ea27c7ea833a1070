import type { CommandContext } from './command.ts';

const WIDTH = 30;
/** Shortest time between two drawings, in milliseconds. */
const INTERVAL = 100;

/**
 * Shows a progress bar on the standard error while `work` runs, if that is a terminal.
 * @param total the amount of work
 * @param work reports the amounts done to `advance`
 */
export async function withProgress<Result>(
  { stderr }: CommandContext,
  label: string,
  total: number,
  work: (advance: (amount: number) => void) => Promise<Result>,
): Promise<Result> {
  let done = 0;
  let drawnAt = -Infinity;
  const advance = (amount: number) => {
    done += amount;
    const now = performance.now();
    if (!stderr.isTTY || now - drawnAt < INTERVAL) return;
    drawnAt = now;
    const part = total === 0 ? 1 : Math.min(1, done / total);
    const full = Math.floor(part * WIDTH);
    const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
    stderr.write(`\r${label} ${bar} ${Math.floor(part * 100)} %`);
  };
  try {
    return await work(advance);
  } finally {
    // Erase the line of the bar.
    if (stderr.isTTY) stderr.write('\r\u001B[2K');
  }
}
