import type { NamedServer } from '../../servers/server-store.ts';

/** How long a server stands in for one that the database does not give, in milliseconds. */
const LIFETIME = 3_600_000;
/** The most characters of all servers together. */
const MAX_SIZE = 16_777_216;

/** The servers of the last look-ups, for outages of the database: clients take an error for a server that is gone. */
export function createLastKnown() {
  const known = new Map<string, { server: NamedServer; at: number; size: number }>();
  let size = 0;

  function forget(name: string): void {
    size -= known.get(name)?.size ?? 0;
    known.delete(name);
  }

  return {
    /** Keeps a server in place of an older one; the oldest ones go. */
    keep(name: string, server: NamedServer): void {
      forget(name);
      const length = JSON.stringify(server).length;
      known.set(name, { server, at: performance.now(), size: length });
      size += length;
      for (const [oldest] of known) {
        if (size <= MAX_SIZE) break;
        forget(oldest);
      }
    },
    /** Forgets a server that is not listed any more. */
    forget,
    /** The server, unless its look-up is older than an hour. */
    find(name: string): NamedServer | undefined {
      const entry = known.get(name);
      return entry && performance.now() - entry.at < LIFETIME ? entry.server : undefined;
    },
  };
}
