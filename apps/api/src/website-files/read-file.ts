import { extname } from 'node:path';
import { createWorkerPool } from '../worker-pool.ts';
import type { fileReaders } from './file-worker.ts';
import type { WebsiteFile } from './parse-html.ts';

type Readers = typeof fileReaders;

/** Reads a file of a stranger's website; rejects if the file cannot be read within the bounds. */
export type ReadFile = <Kind extends keyof Readers>(
  kind: Kind,
  file: WebsiteFile,
) => Promise<ReturnType<Readers[Kind]>>;

/** Creates the reader of files, which parses one at a time in a worker thread, so that no file holds up the event loop. */
export function createFileReader(): ReadFile {
  const run = createWorkerPool<{ kind: keyof Readers; file: WebsiteFile }, unknown>(undefined, {
    filename: new URL(`./file-worker${extname(import.meta.filename)}`, import.meta.url).href,
    maxThreads: 1,
    processorLimit: 1_000,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  });
  const claims: (() => Promise<void>)[] = [];
  const others: (() => Promise<void>)[] = [];
  let isReading = false;
  return (kind, file) =>
    new Promise((resolve, reject) => {
      const read = () => run({ kind, file }).then((found) => resolve(found as never), reject);
      (kind === 'challenges' ? claims : others).push(read);
      if (!isReading) void readAll();
    });

  /** Reads in turn, since the limits of a task begin with its call: claims first, since anybody can have others read. */
  async function readAll(): Promise<void> {
    isReading = true;
    for (let read; (read = claims.shift() ?? others.shift());) await read();
    isReading = false;
  }
}
