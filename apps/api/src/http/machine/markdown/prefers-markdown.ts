import type { IncomingMessage } from 'node:http';
import { prefersType } from '../../plugins/negotiation.ts';

/** The media type of Markdown (RFC 7763). */
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** Whether a client names Markdown in `Accept` and prefers it to HTML. */
export function prefersMarkdown(request: IncomingMessage): boolean {
  return prefersType(request, ['text/markdown', MARKDOWN_TYPE], 'text/html');
}
