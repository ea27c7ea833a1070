import { isUtf8 } from 'node:buffer';
import { setTimeout as wait } from 'node:timers/promises';
import { readFile, realpath, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTextFault } from '@agent-registry/contracts';
import {
  type GuardedFetch,
  type WebsiteResponse,
  createGuardedFetch,
  type GuardedFetchOptions,
} from '../website-check/guarded-fetch.ts';
import { decodeText } from '../website-check/read-start.ts';
import { type Source, SourceError } from './read-sources.ts';
import type { SourceItem } from './read-server.ts';
import { sourceFormats, type PagePlace } from './source-formats.ts';

/** The most bytes of a file. */
const MAX_FILE_SIZE = 67_108_864;

const MEBIBYTE = 1_048_576;
/** The most bytes of an answer. */
const MAX_PAGE_SIZE = 10 * MEBIBYTE;
/** The most bytes of all answers of a source. */
const MAX_TOTAL_SIZE = 256 * MEBIBYTE;
const MAX_PAGES = 1_000;
/** The most characters of a cursor or mark of a source. */
const MAX_CURSOR_LENGTH = 500;
/** How long an answer may take by default, in milliseconds. */
const PAGE_TIMEOUT = 60_000;
/** How long all answers of a source may take, in milliseconds. */
const TOTAL_TIMEOUT = 1_800_000;
/** How often a busy page is asked again, and how long it is waited for at most, in milliseconds. */
const [MAX_RETRIES, MAX_DELAY] = [5, 120_000];

/** All that was read of a source. */
export type Crawl = {
  /** The entries by name, the latest of each. */
  items: Map<string, SourceItem>;
  /** Entries without a name. */
  unnamed: number;
  /** Whether all entries of the source are among them, not only those that changed since. */
  isComplete: boolean;
  /** How far the source was read; null where it is read as a whole each time. */
  mark: string | null;
};

export type SourceFetch = {
  fetch: GuardedFetch;
  userAgent: string;
  /** How long an answer may take, in milliseconds; a minute by default. */
  timeout?: number;
  /** The folder of files, and files elsewhere that the operator named; absolute paths. */
  folder?: string;
  files?: readonly string[];
};

/**
 * Reads a source page by page.
 * @param since how far an earlier synchronisation has read it; null for the whole source
 * @throws {SourceError} when a page cannot be read, is too large, repeats a cursor or has one that cannot be stored, or
 *   after 1,000 pages.
 */
export async function crawlSource(source: Source, since: string | null, client: SourceFetch): Promise<Crawl> {
  const format = sourceFormats[source.kind];
  if (source.address.startsWith('file:')) return crawlFile(source, client);
  const total = AbortSignal.timeout(TOTAL_TIMEOUT);
  const crawl: Crawl = { items: new Map(), unnamed: 0, isComplete: since === null, mark: since };
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let size = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const text = await fetchPage(source, { cursor, since }, { ...client, total });
    // The log of changes is another one, or has forgotten what followed: it is read from its start.
    if (text === undefined) return crawlSource(source, null, client);
    size += text.length;
    if (size > MAX_TOTAL_SIZE) throw new SourceError('its answers together have more than 256 MiB');
    const page = format.read(text, crawl.mark, source.map);
    assertCursor(page.next);
    assertCursor(page.mark);
    crawl.mark = page.mark;
    takeItems(crawl, page.items);
    if (page.next === undefined) return crawl;
    if (cursors.has(page.next)) throw new SourceError('it repeats a cursor');
    cursor = page.next;
    cursors.add(cursor);
  }
  throw new SourceError(`it has more than ${MAX_PAGES} pages`);
}

/** Reads a file as a whole. That of a registry of this product has its list of agents, and not its log of changes. */
async function crawlFile({ kind, address, map }: Source, { folder = '.', files = [] }: SourceFetch): Promise<Crawl> {
  const text = await readSourceFile(address, { folder, files });
  const crawl: Crawl = { items: new Map(), unnamed: 0, isComplete: true, mark: null };
  const format = sourceFormats[kind === 'agent-registry' ? 'ndjson' : kind];
  takeItems(crawl, format.read(text, null, map).items);
  return crawl;
}

function takeItems(crawl: Crawl, items: readonly SourceItem[]): void {
  for (const item of items) {
    if (item.id === undefined) crawl.unnamed += 1;
    else if (!isOlder(item, crawl.items.get(item.id))) crawl.items.set(item.id, item);
  }
}

/** Whether an item is of an older version of an entry than another one. */
function isOlder({ server }: SourceItem, other: SourceItem | undefined): boolean {
  if (!server || !other?.server) return false;
  if (server.isLatest !== other.server.isLatest) return other.server.isLatest;
  return compareVersions(server.version, other.server.version) < 0;
}

/** Compares versions by their numbers, and a release with those before it. */
function compareVersions(one: string, other: string): number {
  const [[release, before], [otherRelease, otherBefore]] = [split(one), split(other)];
  const order = release.localeCompare(otherRelease, 'en', { numeric: true });
  if (order !== 0) return order;
  if (before === undefined || otherBefore === undefined) return Number(!before) - Number(!otherBefore);
  return before.localeCompare(otherBefore, 'en', { numeric: true });
}

function split(version: string): [release: string, before: string | undefined] {
  const [core = ''] = version.replace(/^v/i, '').split('+', 1);
  const [release = '', ...before] = core.split('-');
  return [release, before.length > 0 ? before.join('-') : undefined];
}

/** Checks a cursor, which is stored, backed up and sent again. */
function assertCursor(cursor: string | null | undefined): void {
  const fault = cursor ? findTextFault(cursor, { max: MAX_CURSOR_LENGTH, isLine: true }) : undefined;
  if (fault !== undefined) throw new SourceError(`its cursor ${fault}`);
}

/** Fetches a page; undefined if the source no longer knows the mark. A busy source is asked again when it says so. */
async function fetchPage(
  source: Source,
  place: PagePlace,
  client: SourceFetch & { total: AbortSignal },
): Promise<string | undefined> {
  let response = await fetchOnce(source, place, client);
  for (let retries = 0; retries < MAX_RETRIES; retries += 1) {
    const { status, retryAfter } = response;
    if (![429, 503].includes(status) || retryAfter === undefined || retryAfter > MAX_DELAY) break;
    await wait(retryAfter);
    response = await fetchOnce(source, place, client);
  }
  const { status, text, isChallenge } = response;
  if (status === 410 && place.since !== null) return undefined;
  if (status !== 200) throw new SourceError(`it answered ${status}`);
  if (isChallenge) throw new SourceError('it answered with a page against bots');
  if (Buffer.byteLength(text) > MAX_PAGE_SIZE) throw new SourceError('an answer has more than 10 MiB');
  return text;
}

function fetchOnce(
  source: Source,
  place: PagePlace,
  { fetch, userAgent, timeout = PAGE_TIMEOUT, total }: SourceFetch & { total: AbortSignal },
): Promise<WebsiteResponse> {
  const format = sourceFormats[source.kind];
  const signal = AbortSignal.any([total, AbortSignal.timeout(timeout)]);
  const options = { userAgent, accept: format.accept, signal, maxSize: MAX_PAGE_SIZE + 1 };
  return fetch(format.toUrl(source, place), options).catch((cause: unknown) => {
    throw new SourceError(`it cannot be read: ${signal.aborted ? 'it is too slow' : (cause as Error).message}`, {
      cause,
    });
  });
}

/**
 * Reads a file of a source: a regular one below a folder, or one that the operator named.
 * @param address begins with `file:`; a path that is not absolute is one below the folder
 * @throws {SourceError} when it is none of these, is too large or cannot be read.
 */
async function readSourceFile(
  address: string,
  { folder, files }: { folder: string; files: readonly string[] },
): Promise<string> {
  try {
    const path = await realpath(toPath(address, folder));
    const named = await Promise.all(files.map((file) => realpath(file)));
    const below = relative(await realpath(folder), path);
    if (!named.includes(path) && (below.startsWith('..') || resolve(below) === below)) {
      throw new SourceError('its file is not below the folder of the file of sources; name it with --file');
    }
    const found = await stat(path);
    if (!found.isFile()) throw new SourceError('its file is no regular file');
    if (found.size > MAX_FILE_SIZE) throw new SourceError('its file has more than 64 MiB');
    const bytes = await readFile(path);
    // As spreadsheets write texts.
    return decodeText(bytes, isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  } catch (cause) {
    if (cause instanceof SourceError) throw cause;
    throw new SourceError(
      `its file cannot be read: ${(cause as NodeJS.ErrnoException).code ?? 'its address is wrong'}`,
      {
        cause,
      },
    );
  }
}

function toPath(address: string, folder: string): string {
  if (address.startsWith('file://')) return fileURLToPath(address);
  return resolve(folder, decodeURIComponent(address.slice('file:'.length)));
}

/**
 * The fetch for the pages of a source: one that the operator allows may be on another port and on a private address. Other
 * pages than its own are never asked for, also by no redirect.
 */
export function toSourceFetch(
  { address, allow }: Pick<Source, 'address' | 'allow'>,
  fetch: GuardedFetch,
  options: GuardedFetchOptions = {},
): GuardedFetch {
  const { hostname, port } = new URL(address);
  if (!allow.includes(`${hostname}:${port || 443}`)) return fetch;
  const fetchAllowed = createGuardedFetch({ port: Number(port || 443), ...options, allowsPrivate: true });
  return (url, request) => fetchAllowed(url, { ...request, redirect: 'return' });
}
