// The worker thread that parses files of strangers' websites.
import robotsParser from 'robots-parser';
import { describeFile } from '../prefill/describe-file.ts';
import { PRODUCT } from '../website-check/user-agent.ts';
import { isPage } from './is-page.ts';
import { parseHtml, type WebsiteFile } from './parse-html.ts';

// The types of the package describe an ES module, but it is none: the import is the function itself.
const parseRobots = robotsParser as unknown as (
  url: string,
  text: string,
) => { isAllowed(url: string, userAgent: string): boolean | undefined };

/** The readers of strangers' files. They run in a thread of their own; each value is small. */
export const fileReaders = {
  /** The descriptions of an agent. */
  descriptions: describeFile,

  /** The challenges in the head of a page. A website may show uploads of its visitors under other types. */
  challenges: ({ text, type }: WebsiteFile) => (type === 'text/html' ? parseHtml(text).challenges : []),

  /** Whether a robots.txt allows the registry to ask for the page of an address. */
  robots: ({ text, url }: WebsiteFile) =>
    isPage(text) || parseRobots(new URL('/robots.txt', url).href, text).isAllowed(url, PRODUCT) !== false,
};

export default function read({ kind, file }: { kind: keyof typeof fileReaders; file: WebsiteFile }): unknown {
  // Some editors write a byte order mark.
  return fileReaders[kind]({ ...file, text: file.text.replace(/^\uFEFF/, '') });
}
