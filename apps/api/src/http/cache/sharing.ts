/** Returns the result of the production that is under way for a key and version, or starts one. */
export type Share<Result> = (key: string, version: string, produce: () => Promise<Result>) => Promise<Result>;

/** Creates a function with which concurrent misses of a key and version share one production. */
export function createSharing<Result>(): Share<Result> {
  const productions = new Map<string, { version: string; result: Promise<Result> }>();

  return (key, version, produce) => {
    const current = productions.get(key);
    if (current?.version === version) return current.result;
    const started = { version, result: produce() };
    productions.set(key, started);
    const end = () => {
      if (productions.get(key) === started) productions.delete(key);
    };
    started.result.then(end, end);
    return started.result;
  };
}
