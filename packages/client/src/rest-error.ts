import { PROBLEM_MEDIA_TYPE } from '@agent-registry/contracts';
import type { FieldError } from './types.ts';

/** What an error has besides its status and its sentence. */
type RestErrorDetails = {
  /** The invalid fields of a 400. */
  errors?: readonly FieldError[] | undefined;
  /** The milliseconds after which to try again. */
  retryAfter?: number | undefined;
};

/** A response with an error status. Its message is the status, a colon, a space and the sentence of the registry. */
export class RestError extends Error {
  override readonly name = 'RestError';
  /** The HTTP status. */
  readonly status: number;
  /** The sentence of the registry. */
  readonly detail: string;
  /** The invalid fields of a 400; empty for other errors. */
  readonly errors: readonly FieldError[];
  /** The milliseconds after which to try again, if the registry names them. */
  readonly retryAfter: number | undefined;

  constructor(status: number, detail: string, { errors = [], retryAfter }: RestErrorDetails = {}) {
    super(`${status}: ${detail}`);
    this.status = status;
    this.detail = detail;
    this.errors = errors;
    this.retryAfter = retryAfter;
  }
}

/** Reads the error of a response: problem details, or a text that is no HTML page, or else the text of the status. */
export async function readError(response: Response): Promise<RestError> {
  const { status, statusText } = response;
  const type = response.headers.get('Content-Type') ?? '';
  const body = await response.text();
  const retryAfter = readRetryAfter(response);
  if (type.startsWith(PROBLEM_MEDIA_TYPE)) {
    // A proxy may leave out each member.
    const { detail, title, errors } = JSON.parse(body) as { detail?: string; title?: string; errors?: FieldError[] };
    return new RestError(status, detail ?? title ?? statusText, { errors, retryAfter });
  }
  // Proxies send HTML, and HTTP/2 has no texts of statuses.
  const text = type.startsWith('text/html') ? '' : body;
  return new RestError(status, text || statusText || 'The server sent no message.', { retryAfter });
}

/** Reads `Retry-After` in seconds; a proxy may send a date, which is left to the caller's own pause. */
function readRetryAfter({ headers }: Response): number | undefined {
  const seconds = headers.get('Retry-After') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}
