import { hash } from 'node:crypto';
import {
  addressOf,
  hostOf,
  MIN_SUGGEST_LENGTH,
  normalizeEscapes,
  UNSPACED_SCRIPTS,
  type Agent,
  type Connection,
  type NamedEntry,
} from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { analyze, cut } from '../search/analyze.ts';

/** Longest key, in characters, so that an index of PostgreSQL takes it. */
const MAX_KEY_LENGTH = 64;
/** Most words of a name at which suggestions start, and most starts: text without blanks has one at each character. */
const MAX_WORDS = 10;
const MAX_STARTS = 20;
const IS_RUN = new RegExp(`^[${UNSPACED_SCRIPTS}]`, 'u');

/**
 * Folds a text to its key, as a search folds it and without blanks and punctuation: `Node.js`, `node js` and `nodejs` have
 * one key. It is empty if fewer letters and digits are left than stored ones have.
 */
export function toKey(text: string, minLength = MIN_SUGGEST_LENGTH): string {
  return join(toWords(text), minLength);
}

/**
 * The keys at which suggestions of a name start: that of the whole name, then those from each later word on, and in text
 * without blanks from each character on.
 */
export function toStarts(name: string): string[] {
  const words = toWords(name).slice(0, MAX_WORDS);
  const keys = words.flatMap((word, index) => {
    const parts = IS_RUN.test(word) ? Array.from(word) : [word];
    return parts.map((_, at) => join([...parts.slice(at), ...words.slice(index + 1)]));
  });
  return keys.filter((key) => key !== '').slice(0, MAX_STARTS);
}

/** The range of the keys that begin with a key, in the order of code points. */
export function toRange(key: string): { from: string; to: string } {
  return { from: key, to: `${key}\u{10FFFF}` };
}

/** The folded words of a text, those within a word as well: `ChatGPT` has `chat` and `gpt`. */
function toWords(text: string): string[] {
  return analyze(text).flatMap(({ terms }) =>
    terms.flatMap((term) => (term.subwords.length > 0 ? term.subwords : term.text)),
  );
}

function join(words: readonly string[], minLength = MIN_SUGGEST_LENGTH): string {
  const key = cut(words.join(''), MAX_KEY_LENGTH);
  return Array.from(key).length < minLength ? '' : key;
}

/**
 * The key under which an agent is found by its website, equal for addresses that RFC 3986 calls equivalent, and for those
 * that differ only in scheme, `www.`, a dot at the end of the host or a slash at the end; null without a website. A hash, since an index takes no long values.
 * @example toWebsiteKey('https://www.Example.com/') === toWebsiteKey('http://example.com')
 */
export function toWebsiteKey(website: string | null): string | null {
  const url = website === null ? null : URL.parse(website);
  if (!url) return null;
  const { href, port, pathname, search, hash: fragment } = url;
  const host = (hostOf(href) ?? '').replace(/^www\./, '') + (port && `:${port}`);
  return hash('sha256', normalizeEscapes(host + pathname.replace(/\/$/, '') + search + fragment), 'base64url');
}

type Connected = { connections?: readonly Connection[] | null | undefined };

/** Most entries that are named beside another one. */
export const MAX_BESIDES = 5;

/** Finds listed entries before an agent that have a connection of it, and were imported or have a proof of their website. */
export async function findSharing(
  db: Kysely<Tables>,
  agent: Pick<Agent, 'id' | 'createdAt'> & Connected,
): Promise<NamedEntry[]> {
  const keys = toConnectionKeys(agent);
  if (keys.length === 0) return [];
  const isImported = sql<boolean>`EXISTS (SELECT 1 FROM agent_sources WHERE agent_id = agents.id)`;
  const found = await db
    .selectFrom('agents')
    .select(['id', 'name'])
    .where('seq', 'in', (select) =>
      select.selectFrom('text_keys').select('seq').where('kind', '=', 'connection').where('key', 'in', keys),
    )
    .where(sql<boolean>`(created_at, id) < (${agent.createdAt}, ${agent.id})`)
    .where((where) => where.or([where('website_checked_at', 'is not', null), isImported]))
    .orderBy('seq')
    .limit(MAX_BESIDES)
    .execute();
  return found.map((entry) => ({ ...entry, shares: 'connection' }));
}

export function toConnectionKeys({ connections }: Connected): string[] {
  return [...new Set(connections?.map(toConnectionKey))];
}

/** A connection without the version of its package. */
function toConnectionKey(connection: Connection): string {
  const address = addressOf(connection);
  if (connection.kind !== 'mcp-package') return `${connection.kind} ${address}`;
  if (connection.registry !== 'oci') return `${connection.registry} ${address}`;
  const [image = ''] = address.split('@', 1);
  const tag = image.lastIndexOf(':');
  return `oci ${tag > image.lastIndexOf('/') ? image.slice(0, tag) : image}`;
}
