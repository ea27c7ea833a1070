import { LRUCache } from 'lru-cache';
import { compress, type Compressed, type Encoding } from './compression.ts';
import type { Etags } from './etags.ts';
import type { ReadVersion, Version } from './version.ts';

/** How long an answer must have held before it is compressed, in milliseconds: while agents change, none holds for long. */
const QUIET = 100;
/** Up to this size a body is sent as a text, in bytes. */
const MAX_TEXT = 16_384;
/** What an entry takes besides its key and the bytes of its bodies, about. */
const ENTRY_OVERHEAD = 1_000;
/** The part of the memory in which it is remembered what was asked for, and what that takes besides its key, about. */
const REMEMBERED = { part: 1 / 64, overhead: 100 };

/** An answer that is ready. */
export type ReadyEntry = {
  /** What makes it different from others. */
  key: string;
  /** Reads the present version, for requests that have just come in. */
  readVersion: ReadVersion;
  version: Version;
  etags: Etags;
  head: ReadyHead;
  /** Until its bytes are asked for, an answer is the text that it was made as. */
  bodies: { identity: Buffer | string } & Compressed;
  /** Whether there are no other codings of it than there are already. */
  isDone: boolean;
  /** The codings that were asked for and are not there from the start. */
  asked: Set<Encoding> | undefined;
  /** What was sent so far, in each coding. */
  packets: Partial<Record<Encoding, Packet>> | undefined;
  /** What who made the answer wants to know when the next is made. */
  note: unknown;
  /** Whether each such answer is a view of an agent. */
  isView: boolean;
  /** The pattern of its route. */
  route: string;
};

/**
 * Names and values of headers as `writeHead` takes them, without those of one request, one version or one coding. Answers that
 * have the same share them.
 */
export type ReadyHead = {
  all: readonly string[];
  /** What of them a 304 has. */
  unchanged: readonly string[];
};

/** What is written for an answer: its head as `writeHead` takes it, and its body, as a text of single bytes where it is small. */
type Packet = { head: readonly string[]; body: Buffer | string };

/** Answers by what makes them different, as many as there is room for, least recently used out first. */
export type ReadyEntries = {
  get(key: string): ReadyEntry | undefined;
  /**
   * Whether an answer is worth its room: one that is large, and one that was asked for before. To keep what is never asked
   * for again takes longer than to read an agent, and drives out what is.
   */
  isWanted(key: string, body: Buffer | string): boolean;
  add(entry: ReadyEntry): void;
  /** The coding to send an answer in: the one that is preferred if it is ready, else as it is; the other is made ready. */
  pick(entry: ReadyEntry, preferred: Encoding): Encoding;
};

/**
 * Makes room for answers. Nothing is compressed while somebody waits: until an answer is, it goes out as it is.
 * @param maxSize most memory for them, in bytes
 */
export function createReadyEntries(maxSize: number, onError: (error: unknown) => void): ReadyEntries {
  const entries = new LRUCache<string, ReadyEntry>({ maxSize: Math.max(1, maxSize), sizeCalculation: sizeOf });
  const seen = new LRUCache<string, true>({
    maxSize: Math.ceil(maxSize * REMEMBERED.part) || 1,
    sizeCalculation: (_value, key) => key.length + REMEMBERED.overhead,
  });
  let compressions: Promise<unknown> = Promise.resolve();

  return {
    get: (key) => entries.get(key),
    isWanted(key, body) {
      if (body.length > MAX_TEXT || seen.has(key)) return true;
      seen.set(key, true);
      return false;
    },
    add(entry) {
      // A long text may take twice as much as its bytes.
      if (entry.bodies.identity.length > MAX_TEXT) bytesOf(entry);
      entries.set(entry.key, entry);
    },
    pick(entry, preferred) {
      if (entry.bodies[preferred]) return preferred;
      if (!entry.isDone && !entry.asked?.has(preferred)) {
        entry.asked = (entry.asked ?? new Set()).add(preferred);
        setTimeout(() => {
          compressions = compressions.then(() => addCompressed(entry, preferred)).catch(onError);
        }, QUIET).unref();
      }
      return 'identity';
    },
  };

  async function addCompressed({ key, asked }: ReadyEntry, encoding: Encoding): Promise<void> {
    const current = () => {
      const entry = entries.peek(key);
      return entry?.asked === asked ? entry : undefined;
    };
    const entry = current();
    const body = entry && encoding !== 'identity' && (await compress(bytesOf(entry), encoding));
    const latest = current();
    // Another entry, so that it is measured again.
    if (body && latest) {
      entries.set(key, { ...latest, bodies: { ...latest.bodies, [encoding]: body }, packets: undefined });
    }
  }
}

/** The bytes of an answer as it is. */
export function bytesOf({ bodies }: ReadyEntry): Buffer {
  if (typeof bodies.identity === 'string') bodies.identity = Buffer.from(bodies.identity);
  return bodies.identity;
}

/** What is to be written for an answer in a coding that it is ready in. */
export function packetOf(entry: ReadyEntry, encoding: Encoding): Packet {
  return ((entry.packets ??= {})[encoding] ??= pack(entry, encoding));
}

function pack(entry: ReadyEntry, encoding: Encoding): Packet {
  const bytes = encoding === 'identity' ? bytesOf(entry) : (entry.bodies[encoding] as Buffer);
  return {
    head: [
      ...entry.head.all,
      ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
      'etag',
      entry.etags[encoding],
      'content-length',
      String(bytes.length),
    ],
    // As a text it is sent in one piece with the head, which takes half the time.
    body: bytes.length <= MAX_TEXT ? bytes.toString('latin1') : bytes,
  };
}

function sizeOf({ bodies }: ReadyEntry, key: string): number {
  let size = ENTRY_OVERHEAD + key.length;
  for (const body of Object.values(bodies)) {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    size += length > MAX_TEXT ? length : 2 * length;
  }
  return size;
}
