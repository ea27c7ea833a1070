import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readProcessorTime } from '../processor-time.ts';
import type { fileReaders } from './file-readers.ts';
import type { WebsiteFile } from './parse-html.ts';

/** A message of the thread: that it is ready, the value of a file, or why the file has none. */
export type FileReply = { value?: unknown; error?: string };

type Readers = typeof fileReaders;

/** Reads a file of a stranger's website; rejects if the file cannot be read within the bounds. */
export type ReadFile = <Kind extends keyof Readers>(
  kind: Kind,
  file: WebsiteFile,
) => Promise<ReturnType<Readers[Kind]>>;

/** How much processor time a file may take, in milliseconds. */
const MAX_PROCESSOR_TIME = 1_000;
/** How often the processor time is read, in milliseconds. */
const POLL_INTERVAL = 100;
/** How long an idle thread is kept, in milliseconds. */
const IDLE_TIMEOUT = 30_000;
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** Creates the reader of files, which parses one at a time in a worker thread, so that no file holds up the event loop. */
export function createFileReader(): ReadFile {
  const path = new URL(`./file-worker${extname(import.meta.filename)}`, import.meta.url);
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  return (kind, file) => {
    const reading = last.then(() => read({ kind, file }));
    last = reading.catch(() => {});
    return reading as Promise<never>;
  };

  async function read(task: { kind: keyof Readers; file: WebsiteFile }): Promise<unknown> {
    clearTimeout(idle);
    const thread = worker ?? (await start());
    thread.ref();
    const watch = watchProcessorTime(thread, await readProcessorTime(thread));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    thread.postMessage(task);
    try {
      const { value, error } = await replyOf(thread);
      if (error !== undefined) throw new Error(error);
      return value;
    } finally {
      clearInterval(watch);
      thread.unref();
      idle = setTimeout(() => end(thread), IDLE_TIMEOUT).unref();
    }
  }

  async function start(): Promise<Worker> {
    const started = new Worker(path, { resourceLimits: HEAP });
    worker = started;
    // An error, such as of memory, rejects the reading that waits for a reply.
    started.on('error', () => {});
    started.on('exit', () => forget(started));
    await replyOf(started);
    return started;
  }

  function end(thread: Worker): void {
    forget(thread);
    void thread.terminate();
  }

  function forget(thread: Worker): void {
    if (worker === thread) worker = undefined;
  }
}

/** The next message of a thread; rejects if the thread ends before. */
async function replyOf(thread: Worker): Promise<FileReply> {
  const ending = new AbortController();
  const end = () => ending.abort(new Error('The file took too much processor time'));
  thread.once('exit', end);
  try {
    const [reply] = (await once(thread, 'message', { signal: ending.signal })) as [FileReply];
    return reply;
  } catch (error) {
    // `once` rejects with an error of its own.
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    thread.off('exit', end);
  }
}

/** Ends a thread that uses more processor time than a file may take. */
function watchProcessorTime(thread: Worker, before: NodeJS.CpuUsage): NodeJS.Timeout {
  return setInterval(async () => {
    const { user, system } = await readProcessorTime(thread, before);
    if (user + system > MAX_PROCESSOR_TIME * 1_000) await thread.terminate();
  }, POLL_INTERVAL);
}
