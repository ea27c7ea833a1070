import type { Json } from '../prefill/description.ts';
import type { Source } from './read-sources.ts';

/** An entry of a page, as a stranger wrote it. */
export type SourceItem = {
  /** What the source calls the entry; undefined if that cannot be read. */
  id: string | undefined;
  /** Whether the source says that it no longer has the entry. */
  isRemoved: boolean;
  /** The fields of an agent, unchecked. */
  fields: Json;
};

/** A page of a source. */
export type SourcePage = {
  items: SourceItem[];
  /** The cursor of the next page; undefined for the last one. */
  next?: string | undefined;
  /** How far the source was read with this page; null where it is read as a whole each time. */
  mark: string | null;
};

/** Where a page is: its cursor, and the mark up to which the source was read by an earlier synchronisation. */
export type PagePlace = { cursor?: string | undefined; since: string | null };

/** How the pages of a kind of sources are asked for and read. */
export type SourceFormat = {
  /** The value of `Accept`. */
  accept: string;
  toUrl(source: Source, place: PagePlace): URL;
  /**
   * Reads a page.
   * @param mark how far the source was read before
   * @throws {SourceError} when the text is no such page.
   */
  read(text: string, mark: string | null): SourcePage;
};

/** Longest name of an entry, in UTF-16 code units: longer ones cannot be read. */
const MAX_ID_LENGTH = 500;

/** A value as the name of an entry; undefined if it is none. */
export function toId(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH ? value : undefined;
}
