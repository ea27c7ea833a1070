// The worker thread that parses files of strangers' websites.
import { fileReaders } from './file-readers.ts';
import type { WebsiteFile } from './parse-html.ts';

export default function read({ kind, file }: { kind: keyof typeof fileReaders; file: WebsiteFile }): unknown {
  // Some editors write a byte order mark.
  return fileReaders[kind]({ ...file, text: file.text.replace(/^\uFEFF/, '') });
}
