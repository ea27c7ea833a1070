import { ConfigError } from './config.ts';

/**
 * Waits until something listens at the address that settings name.
 * @throws {ConfigError} when it cannot.
 */
export async function listen<Result>(settings: string, listening: Promise<Result>): Promise<Result> {
  try {
    return await listening;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'the reason is unknown';
    throw new ConfigError(`${settings} do not name an address to listen on: ${reason}.`, { cause });
  }
}
