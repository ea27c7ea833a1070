import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { buildConsole, type ConsoleOptions } from './build-console.ts';
import { TOKEN_PARAMETER } from './console-access.ts';

/** How long a console that nobody uses stays open, in milliseconds. */
const IDLE_PERIOD = 30 * 60_000;

/** An open console. */
export type OpenConsole = {
  /** The address with the token. */
  url: string;
  port: number;
  /** Resolves once the console has ended: after `close`, or because nobody used it. */
  ended: Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the console on loopback.
 * @param port 0 for any free one
 * @param idlePeriod after how many milliseconds without a request it ends; 30 minutes by default
 */
export async function openConsole({
  port,
  idlePeriod = IDLE_PERIOD,
  ...options
}: Omit<ConsoleOptions, 'token' | 'onUse'> & { port: number; idlePeriod?: number }): Promise<OpenConsole> {
  const token = randomBytes(32).toString('base64url');
  const app = buildConsole({ ...options, token, onUse: () => idle.refresh() });
  const ended = new Promise<void>((resolve) => {
    app.addHook('onClose', () => resolve());
  });
  const close = async () => {
    clearTimeout(idle);
    await app.close();
  };
  const idle = setTimeout(() => void close(), idlePeriod);
  try {
    await app.listen({ host: '127.0.0.1', port });
  } catch (error) {
    await close();
    throw error;
  }
  const { port: taken } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${taken}/?${TOKEN_PARAMETER}=${token}`, port: taken, ended, close };
}
