import {
  endpoints,
  IDEMPOTENCY_KEY_HEADER,
  MANAGEMENT_KEY_HEADER,
  PROBLEM_MEDIA_TYPE,
  type Endpoint,
} from '@agent-registry/contracts';
import type { CallOptions } from './calls.ts';
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

// The input of a procedure. Only a body has values that a query cannot hold.
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
  const base = toBase(url);
  return async (procedure, given, { signal, context = {} } = {}) => {
    const { onHeaders, onStatus, idempotencyKey, key, newKey, ifMatch } = context;
    const endpoint = findEndpoint(procedure);
    const input = (given ?? {}) as Input;
    const { path, rest } = toPath(endpoint, input);
    const hasBody = endpoint.hasBody === true || Object.keys(rest).length > 0;
    const response = await send(base + path, {
      method: endpoint.method,
      credentials,
      ...(signal && { signal }),
      headers: {
        Accept: `application/json, ${PROBLEM_MEDIA_TYPE}`,
        ...(hasBody && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey !== undefined && { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey }),
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(newKey !== undefined && { [MANAGEMENT_KEY_HEADER]: newKey }),
        ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      },
      ...(hasBody && { body: JSON.stringify(rest) }),
    });
    onHeaders?.(response.headers);
    onStatus?.(response.status);
    if (response.ok) return response.json();
    if (response.status === 401 && on401 === 'null' && endpoint.method === 'GET') return null;
    throw await readError(response);
  };
}

/** The address of a registry without a slash at its end; of the page's own registry it is empty. */
function toBase(url: string): string {
  if (typeof url !== 'string') throw new TypeError('url is missing: the address of the registry.');
  if (url !== '' && !/^https?:\/\/./i.test(url)) {
    throw new TypeError(`url must begin with https:// or http://, such as https://${url.replace(/^\/+/, '')}`);
  }
  return url.replace(/(?<!\/)\/+$/, '');
}

function findEndpoint(procedure: string): Endpoint {
  const endpoint = (endpoints as Record<string, Endpoint>)[procedure];
  if (!endpoint) throw new Error(`${procedure} has no REST path.`);
  return endpoint;
}

/** The path with its query, and the input that is not in it: the body. */
function toPath({ method, path }: Endpoint, input: Input): { path: string; rest: Input } {
  const query = new URLSearchParams();
  const rest: Input = {};
  let filled: string = path;
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const placeholder = `{${name}}`;
    if (filled.includes(placeholder)) filled = filled.replace(placeholder, () => encodeURIComponent(String(value)));
    else if (method === 'GET') query.set(name, String(value));
    else rest[name] = value;
  }
  return { path: query.size > 0 ? `${filled}?${query.toString()}` : filled, rest };
}
