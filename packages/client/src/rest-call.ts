import { endpoints, IDEMPOTENCY_KEY_HEADER, PROBLEM_MEDIA_TYPE, type Endpoint } from '@agent-registry/contracts';
import { readError } from './rest-error.ts';

/** Options of a client. */
export type ClientOptions<On401 extends 'throw' | 'null' = 'throw' | 'null'> = {
  /** The origin of the registry, such as `https://registry.example`; empty for the page's own. */
  url: string;
  /**
   * Whether `fetch` sends cookies: `same-origin` by default, which works on pages of any origin. Browsers refuse the
   * responses of a registry of another origin to `include`.
   */
  credentials?: 'omit' | 'same-origin' | 'include' | undefined;
  /** Whether a 401 makes a query throw (the default) or resolve to null. */
  on401?: On401 | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
};

/** The context of a query. */
export type QueryContext = {
  /** Called with the response headers before the call resolves, such as `X-Total-Count` of a page. */
  onHeaders?: ((headers: Headers) => void) | undefined;
};

/** The context of a registration. */
export type RestContext = QueryContext & {
  /** The idempotency key: a retry with the same key does not register again. */
  idempotencyKey?: string | undefined;
};

/** Options of a call. */
export type CallOptions<Context = RestContext> = {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** What goes with the request besides its input, and what comes with the response besides its body. */
  context?: Context | undefined;
};

// The input of a procedure. Only the body of a POST has values that a query cannot hold.
type Input = Record<string, string | number | boolean | readonly string[] | undefined>;

/** Sends a call to the REST path of a procedure, such as `agents.list`. */
export type RestCall = (procedure: string, input: unknown, options?: CallOptions) => Promise<unknown>;

/** Creates the function that sends calls. A call rejects with a `RestError`, or with the error of `fetch`. */
export function createRestCall({
  url,
  credentials = 'same-origin',
  on401 = 'throw',
  fetch: send = fetch,
}: ClientOptions): RestCall {
  const base = url.replace(/\/+$/, '');
  return async (procedure, given, { signal, context: { onHeaders, idempotencyKey } = {} } = {}) => {
    const endpoint = findEndpoint(procedure);
    const input = (given ?? {}) as Input;
    const isPost = endpoint.method === 'POST';
    const response = await send(base + toPath(endpoint, input), {
      method: endpoint.method,
      credentials,
      ...(signal && { signal }),
      headers: {
        Accept: `application/json, ${PROBLEM_MEDIA_TYPE}`,
        ...(isPost && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey !== undefined && { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey }),
      },
      ...(isPost && { body: JSON.stringify(input) }),
    });
    onHeaders?.(response.headers);
    if (response.ok) return response.json();
    if (response.status === 401 && on401 === 'null' && !isPost) return null;
    throw await readError(response);
  };
}

function findEndpoint(procedure: string): Endpoint {
  const endpoint = (endpoints as Record<string, Endpoint>)[procedure];
  if (!endpoint) throw new Error(`${procedure} has no REST path.`);
  return endpoint;
}

function toPath({ method, path }: Endpoint, input: Input): string {
  const query = new URLSearchParams();
  const filled = Object.entries(input).reduce((rest, [name, value]) => {
    if (value === undefined) return rest;
    const placeholder = `{${name}}`;
    if (rest.includes(placeholder)) return rest.replace(placeholder, () => encodeURIComponent(String(value)));
    if (method === 'GET') query.set(name, String(value));
    return rest;
  }, path as string);
  return query.size > 0 ? `${filled}?${query.toString()}` : filled;
}
