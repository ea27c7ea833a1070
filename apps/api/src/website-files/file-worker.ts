// The worker thread that parses files of strangers' websites.
import { parentPort } from 'node:worker_threads';
import { fileReaders } from './file-readers.ts';
import type { WebsiteFile } from './parse-html.ts';
import type { FileReply } from './read-file.ts';

parentPort?.on('message', ({ kind, file }: { kind: keyof typeof fileReaders; file: WebsiteFile }) => {
  try {
    // Some editors write a byte order mark.
    reply({ value: fileReaders[kind]({ ...file, text: file.text.replace(/^\uFEFF/, '') }) });
  } catch (error) {
    reply({ error: (error as Error).message });
  }
});
reply({});

function reply(message: FileReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort?.postMessage(message);
}
