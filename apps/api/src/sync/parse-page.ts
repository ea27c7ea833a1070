import { toObject, type Json } from '../prefill/description.ts';
import type { Source } from './read-sources.ts';
import { SourceError } from './source-error.ts';

/**
 * Parses an answer in JSON.
 * @throws {SourceError} when it is no JSON.
 */
export function parsePage(text: string): Json {
  try {
    return toObject(JSON.parse(text));
  } catch (cause) {
    throw new SourceError('its answer is no JSON', { cause });
  }
}

/** The address of an endpoint below that of a source. */
export function toEndpoint({ address }: Source, path: string): URL {
  const url = new URL(address);
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + path;
  return url;
}
