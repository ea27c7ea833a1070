import { LRUCache } from 'lru-cache';
import { compress, type Compressed, type Encoding } from './encodings.ts';
import type { Version } from './etags.ts';

/** How long an answer must have held before it is compressed, in milliseconds: while agents change, none holds for long. */
const QUIET = 100;
/** Up to this size a body is kept as a text as well, in bytes. */
export const MAX_TEXT = 16_384;
/** What an entry takes besides the bytes of its bodies, about. */
const ENTRY_OVERHEAD = 3_000;

/** An answer that is ready. */
export type ReadyEntry = {
  /** Reads the present version, for requests that have just come in. */
  readVersion: () => Version | Promise<Version>;
  version: Version;
  /** As reply and response give them, without those of one request. */
  headers: Record<string, string>;
  bodies: { identity: Buffer } & Compressed;
  /** Whether there are no other codings of it than there are already. */
  isDone: boolean;
  /** The whole head of an answer in each coding, as `writeHead` takes it. */
  heads: Partial<Record<Encoding | 'unchanged', string[]>>;
  /** The bodies that are small, as texts of single bytes. */
  texts: Partial<Record<Encoding, string>>;
  /** What who made the answer wants to know when the next is made. */
  note: unknown;
  /** Whether each such answer is a view of an agent. */
  isView: boolean;
};

/** Answers by what makes them different, as many as there is room for, least recently used out first. */
export type ReadyEntries = {
  get(key: string): ReadyEntry | undefined;
  set(key: string, entry: ReadyEntry): void;
  /** The coding to send an answer in: the one that is preferred if it is ready, else as it is; the other is made ready. */
  pick(key: string, entry: ReadyEntry, preferred: Encoding): Encoding;
};

/**
 * Makes room for answers. Nothing is compressed while somebody waits: until an answer is, it goes out as it is.
 * @param maxSize most memory for them, in bytes
 */
export function createReadyEntries(maxSize: number, onError: (error: unknown) => void): ReadyEntries {
  const entries = new LRUCache<string, ReadyEntry>({
    maxSize: Math.max(1, maxSize),
    sizeCalculation: ({ bodies }, key) =>
      Object.values(bodies).reduce(
        (sum, { length }) => sum + (length > MAX_TEXT ? length : 2 * length),
        ENTRY_OVERHEAD + key.length,
      ),
  });
  // By the bytes, since an entry is another once something was added.
  const wanted = new WeakMap<Buffer, Set<Encoding>>();
  let compressions: Promise<unknown> = Promise.resolve();

  return {
    get: (key) => entries.get(key),
    set: (key, entry) => void entries.set(key, entry),
    pick(key, { bodies, isDone }, preferred) {
      if (bodies[preferred]) return preferred;
      const asked = wanted.get(bodies.identity) ?? new Set();
      if (preferred !== 'identity' && !isDone && !asked.has(preferred)) {
        wanted.set(bodies.identity, asked.add(preferred));
        setTimeout(() => {
          compressions = compressions.then(() => addCompressed(key, bodies.identity, preferred)).catch(onError);
        }, QUIET).unref();
      }
      return 'identity';
    },
  };

  async function addCompressed(key: string, identity: Buffer, encoding: keyof Compressed): Promise<void> {
    const current = () => {
      const entry = entries.peek(key);
      return entry?.bodies.identity === identity ? entry : undefined;
    };
    const body = current() && (await compress(identity, encoding));
    const latest = current();
    if (body && latest) {
      entries.set(key, { ...latest, bodies: { ...latest.bodies, [encoding]: body }, heads: {}, texts: {} });
    }
  }
}
