/** Shows how far a command has come. */
export type Progress = {
  /** Moves on by so much. */
  advance(amount: number): void;
  /** Takes the bar away. */
  end(): void;
};

const WIDTH = 30;
/** How often the bar is drawn at most, in milliseconds. */
const INTERVAL = 100;

/**
 * Draws a bar on the standard error where that is a terminal, and nothing elsewhere.
 * @param total the amount at which it is full
 */
export function showProgress(label: string, total: number): Progress {
  const { stderr } = process;
  let done = 0;
  let drawnAt = -Infinity;
  return {
    advance(amount) {
      done += amount;
      const now = performance.now();
      if (!stderr.isTTY || now - drawnAt < INTERVAL) return;
      drawnAt = now;
      const part = total === 0 ? 1 : Math.min(1, done / total);
      const full = Math.floor(part * WIDTH);
      const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
      stderr.write(`\r${label} ${bar} ${Math.floor(part * 100)} %`);
    },
    end() {
      // Back to the beginning of the line, and what is on it erased.
      if (stderr.isTTY) stderr.write('\r\u001B[2K');
    },
  };
}
