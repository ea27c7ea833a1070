const WIDTH = 30;
/** How often the bar is drawn at most, in milliseconds. */
const INTERVAL = 100;

/**
 * Draws a bar on the standard error while work is done, where that is a terminal, and nothing elsewhere.
 * @param total the amount at which it is full
 * @param work what moves the bar on, by the amounts that it gives to `advance`
 */
export async function withProgress<Result>(
  label: string,
  total: number,
  work: (advance: (amount: number) => void) => Promise<Result>,
): Promise<Result> {
  const { stderr } = process;
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
    // Back to the beginning of the line, and what is on it erased.
    if (stderr.isTTY) stderr.write('\r\u001B[2K');
  }
}
