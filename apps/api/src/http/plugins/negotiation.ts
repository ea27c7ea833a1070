import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

/** The media type of Markdown (RFC 7763). */
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** The longest header that is parsed, in characters: the time grows with its entries, and browsers send about 200. */
const MAX_HEADER_LENGTH = 500;

/** Parses a header with the preferences of a client; undefined if the header is missing, empty or too long. */
export function negotiate(
  request: Pick<IncomingMessage, 'headers'>,
  header: 'accept' | 'accept-encoding',
): Negotiator | undefined {
  const { [header]: text = '' } = request.headers;
  return text !== '' && text.length <= MAX_HEADER_LENGTH ? new Negotiator(request) : undefined;
}

/** Whether a client names one of these media types and prefers it to another type. Wildcards such as `text/*` name none. */
export function prefersType(request: IncomingMessage, types: readonly string[], other: string): boolean {
  const negotiator = negotiate(request, 'accept');
  if (!negotiator) return false;
  const preferred = negotiator.mediaType([other, ...types]);
  const isNamed = negotiator.mediaTypes().some((name) => types.includes(name.toLowerCase()));
  return isNamed && preferred !== undefined && types.includes(preferred);
}

/** Whether a client names Markdown in `Accept` and prefers it to HTML. */
export function prefersMarkdown(request: IncomingMessage): boolean {
  return prefersType(request, ['text/markdown', MARKDOWN_TYPE], 'text/html');
}
