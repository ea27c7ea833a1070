import { PROBLEM_MEDIA_TYPE } from '@agent-registry/contracts';
import type { FieldError } from './types.ts';

/** A response with an error status. Its message is the status, a colon, a space and the sentence of the registry. */
export class RestError extends Error {
  override readonly name = 'RestError';
  /** The HTTP status. */
  readonly status: number;
  /** The invalid fields of a 400; empty for other errors. */
  readonly errors: readonly FieldError[];

  constructor(status: number, text: string, errors: readonly FieldError[] = []) {
    super(`${status}: ${text}`);
    this.status = status;
    this.errors = errors;
  }
}

/** Reads the error of a response: problem details, or a text that is no HTML page, or else the text of the status. */
export async function readError(response: Response): Promise<RestError> {
  const { status, statusText } = response;
  const type = response.headers.get('Content-Type') ?? '';
  const body = await response.text();
  if (type.startsWith(PROBLEM_MEDIA_TYPE)) {
    // A proxy may leave out each member.
    const { detail, title, errors } = JSON.parse(body) as { detail?: string; title?: string; errors?: FieldError[] };
    return new RestError(status, detail ?? title ?? statusText, errors);
  }
  // Proxies send HTML, and HTTP/2 has no texts of statuses.
  const text = type.startsWith('text/html') ? '' : body;
  return new RestError(status, text || statusText || 'The server sent no message.');
}
