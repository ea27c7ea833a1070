import { OverloadError, RegistryError } from '../../registry-error.ts';

/** Returns the result of the production that is under way for a key and version, or starts one. */
export type Share<Result> = (key: string, version: string, produce: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a function with which concurrent misses of a key and version share one production. If it fails because of the
 * client that started it, the others share the next one.
 */
export function createSharing<Result>(): Share<Result> {
  const productions = new Map<string, { version: string; result: Promise<Result> }>();

  return async function share(key, version, produce) {
    const current = productions.get(key);
    if (current?.version === version) {
      try {
        return await current.result;
      } catch (error) {
        if (!isOfClient(error)) throw error;
        return share(key, version, produce);
      }
    }
    const started = { version, result: produce() };
    productions.set(key, started);
    const end = () => {
      if (productions.get(key) === started) productions.delete(key);
    };
    started.result.then(end, end);
    return started.result;
  };
}

/** Whether a production failed for its client only, which has disconnected or has too much waiting. */
function isOfClient(error: unknown): boolean {
  const reasons = [error, (error as Error).cause] as (Error | undefined)[];
  return reasons.some(
    (reason) =>
      reason?.name === 'AbortError' ||
      reason instanceof OverloadError ||
      (reason instanceof RegistryError && reason.kind === 'too-many'),
  );
}
