import type { AppRouter } from '@agent-registry/api/router';
import { endpoints, IDEMPOTENCY_KEY_HEADER, type Endpoint } from '@agent-registry/contracts';
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';

/** Options of the REST link. */
export type RestLinkOptions = {
  /** The origin of the registry, such as `https://registry.example`; empty for the page's own. */
  url: string;
  /** Whether a 401 rejects (the default) or resolves to null. */
  on401?: 'throw' | 'null';
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
};

/** The context of a call: `registry.agents.list.query(input, { context })`. */
export type RestContext = {
  /** Called with the response headers before the call resolves, such as `X-Total-Count` of a page. */
  onHeaders?: (headers: Headers) => void;
  /** The idempotency key of a registration: a retry with the same key does not register again. */
  idempotencyKey?: string;
};

// The input of a procedure. Only the body of a POST has values besides texts and numbers.
type Input = Record<string, string | number | undefined>;

/** A response with an error status. Its message is the status, a colon, a space and the body, or the status text if the body is empty. */
export class RestError extends Error {
  override readonly name = 'RestError';
  /** The HTTP status. */
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.status = status;
  }
}

/**
 * A terminating tRPC link that sends each call to the REST path of its procedure.
 * A failed call rejects with a `TRPCClientError` with the message of the `RestError`, and the `RestError` as its cause.
 * @example createTRPCClient<AppRouter>({ links: [restLink({ url: 'https://registry.example' })] })
 */
export function restLink({ url, on401 = 'throw', fetch: send = fetch }: RestLinkOptions): TRPCLink<AppRouter> {
  const base = url.replace(/\/+$/, '');
  return () =>
    ({ op }) =>
      observable((observer) => {
        const aborter = new AbortController();
        const signal = op.signal ? AbortSignal.any([op.signal, aborter.signal]) : aborter.signal;
        call(findEndpoint(op.path), (op.input ?? {}) as Input, signal, op.context).then(
          (data) => {
            observer.next({ result: { type: 'data', data } });
            observer.complete();
          },
          (error: unknown) => observer.error(TRPCClientError.from(error as Error)),
        );
        return () => aborter.abort();
      });

  async function call(
    endpoint: Endpoint,
    input: Input,
    signal: AbortSignal,
    { onHeaders, idempotencyKey }: RestContext,
  ): Promise<unknown> {
    const response = await send(base + toPath(endpoint, input), {
      method: endpoint.method,
      credentials: 'include',
      signal,
      ...(endpoint.method === 'POST' && {
        headers: {
          'Content-Type': 'application/json',
          ...(idempotencyKey !== undefined && { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey }),
        },
        body: JSON.stringify(input),
      }),
    });
    onHeaders?.(response.headers);
    if (response.ok) return response.json();
    if (response.status === 401 && on401 === 'null') return null;
    throw new RestError(response.status, (await response.text()) || response.statusText);
  }
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
