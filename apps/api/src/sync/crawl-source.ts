import { setTimeout as wait } from 'node:timers/promises';
import { findTextFault } from '@agent-registry/contracts';
import {
  type GuardedFetch,
  type WebsiteResponse,
  createGuardedFetch,
  type GuardedFetchOptions,
} from '../website-check/guarded-fetch.ts';
import { type Source, SourceError } from './read-sources.ts';
import type { SourceItem } from './read-server.ts';
import { sourceFormats, type PagePlace } from './source-formats.ts';

const MEBIBYTE = 1_048_576;
const MAX_PAGE_SIZE = 10 * MEBIBYTE;
const MAX_TOTAL_SIZE = 256 * MEBIBYTE;
const MAX_PAGES = 1_000;
const MAX_CURSOR_LENGTH = 500;
/** How long an answer may take by default, in milliseconds. */
const PAGE_TIMEOUT = 60_000;
/** How long all answers of a source may take, in milliseconds. */
const TOTAL_TIMEOUT = 1_800_000;
/** How often a busy page is asked again, and how long it is waited for at most, in milliseconds. */
const [MAX_RETRIES, MAX_DELAY] = [5, 120_000];

export type Crawl = {
  /** The entries by name, the latest of each. */
  items: Map<string, SourceItem>;
  unnamed: number;
  /** Whether all entries of the source are among them, not only those that changed since. */
  isComplete: boolean;
  /** How far the source was read; null where it says no time. */
  mark: string | null;
};

export type SourceFetch = {
  fetch: GuardedFetch;
  userAgent: string;
  timeout?: number;
};

/** @param since how far an earlier synchronisation has read the source; null for the whole */
export async function crawlSource(source: Source, since: string | null, client: SourceFetch): Promise<Crawl> {
  const format = sourceFormats[source.kind];
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
    const page = format.read(text, crawl.mark);
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

function takeItems(crawl: Crawl, items: readonly SourceItem[]): void {
  for (const item of items) {
    if (item.id === undefined) crawl.unnamed += 1;
    else if (!isOlder(item, crawl.items.get(item.id))) crawl.items.set(item.id, item);
  }
}

function isOlder({ server }: SourceItem, other: SourceItem | undefined): boolean {
  if (!server || !other?.server) return false;
  if (server.isLatest !== other.server.isLatest) return other.server.isLatest;
  return compareVersions(server.version, other.server.version) < 0;
}

/** Compares versions by their numbers, and a release with those before it. */
export function compareVersions(one: string, other: string): number {
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
  const signal = AbortSignal.any([total, AbortSignal.timeout(timeout)]);
  const options = { userAgent, accept: 'application/json', signal, maxSize: MAX_PAGE_SIZE + 1 };
  return fetch(sourceFormats[source.kind].toUrl(source, place), options).catch((cause: unknown) => {
    throw new SourceError(`it cannot be read: ${signal.aborted ? 'it is too slow' : (cause as Error).message}`, {
      cause,
    });
  });
}

/** The fetch for a source, which may be on a private address if the operator allows it, and then redirects nowhere. */
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
