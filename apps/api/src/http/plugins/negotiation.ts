import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

/** The longest header that is parsed, in characters: the time grows with its entries, and browsers send about 200. */
const MAX_HEADER_LENGTH = 500;

/** Parses a header with the preferences of a client; undefined if the header is missing, empty or too long. */
export function negotiate(request: IncomingMessage, header: 'accept' | 'accept-encoding'): Negotiator | undefined {
  const { [header]: text = '' } = request.headers;
  return text !== '' && text.length <= MAX_HEADER_LENGTH ? new Negotiator(request) : undefined;
}
