import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';

/** The most bytes of a body that are read by default. */
export const MAX_BODY_SIZE = 65_536;
/** Most redirects that are followed, within one host. */
const MAX_REDIRECTS = 3;
const HTTPS_PORT = 443;

// `::7f00:1` is `127.0.0.1` to some systems; the agent refuses it in the spelling `::127.0.0.1` only.
const ipv4Compatible = new BlockList();
ipv4Compatible.addSubnet('::', 96, 'ipv6');

/** The response of a website. */
export type WebsiteResponse = {
  status: number;
  /** The media type in lower case without parameters, such as `text/html`; empty if the website names none. */
  type: string;
  /** The first bytes of the body, as UTF-8. */
  text: string;
  /** Whether this is the page of a protection against bots, in place of the website's own. */
  isChallenge: boolean;
  headers: IncomingHttpHeaders;
};

/** Sends a request to a website over https, by default GET. Only the host, the path and the query of the address are used. */
export type GuardedFetch = (
  url: URL,
  options: {
    /** The value of `User-Agent`. */
    userAgent: string;
    /** Ends the request, from the lookup of the name to the last byte. */
    signal: AbortSignal;
    method?: 'GET' | 'POST';
    /** Headers besides those of every request. */
    headers?: Record<string, string>;
    body?: string;
    /** Whether what was read of the body is enough; asked at each end of a line. */
    isComplete?: (text: string) => boolean;
    /** The value of `Accept`; none by default. */
    accept?: string;
    /** The most bytes of the body that are read; 64 KiB by default, and with 0 none. */
    maxSize?: number;
    /** Whether a redirect within the host is followed, as by default, or returned like any other response. */
    redirect?: 'follow' | 'return';
    /** Awaited before each request, also that of a redirect; an error refuses it. */
    beforeRequest?: () => Promise<void>;
  },
) => Promise<WebsiteResponse>;

/** A website redirects to another host, or more often than is followed. */
export class RedirectError extends Error {
  /** The address on the other host. */
  readonly target: URL | undefined;

  constructor(message: string, target?: URL) {
    super(message);
    this.target = target;
  }
}

/** Options of `createGuardedFetch`, which tests set to reach a server of their own. */
export type GuardedFetchOptions = {
  /** Resolves names. */
  lookup?: LookupFunction;
  /** Addresses that are allowed although they are not public. */
  allowedAddresses?: string[];
  port?: number;
  /** The certificate authority, instead of those of Node. */
  ca?: string;
};

/**
 * Creates a fetch for addresses that strangers name: https on port 443 only, to public addresses only. The agent checks
 * the addresses that a name resolves to and connects to no others, so a later DNS response cannot replace them.
 */
export function createGuardedFetch({
  lookup = lookupWithoutThreads,
  allowedAddresses = [],
  port = HTTPS_PORT,
  ca,
}: GuardedFetchOptions = {}): GuardedFetch {
  const agent = new RequestFilteringHttpsAgent({
    lookup: withoutIPv4Compatible(lookup),
    allowIPAddressList: allowedAddresses,
    ca,
  });

  return async function guardedFetch(url, options) {
    const { userAgent, signal, accept, maxSize = MAX_BODY_SIZE, redirect = 'follow', beforeRequest } = options;
    const { method = 'GET', body, isComplete = () => false } = options;
    let { pathname, search } = url;
    const host = url.hostname.replaceAll(/[[\]]/g, '');
    if (isIPv4Compatible(host)) throw notAllowed(host);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      await beforeRequest?.();
      const sent = request({
        agent,
        host,
        port,
        method,
        path: pathname + search,
        // Without compression, which could make a small response large.
        headers: {
          ...options.headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          host: url.hostname,
          'user-agent': userAgent,
          'accept-encoding': 'identity',
          ...(accept && { accept }),
        },
        signal,
      }).end(body);
      // Errors after the headers reach the reader of the body.
      sent.on('error', () => {});
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const { statusCode: status = 0, headers } = response;
      const isRedirect = headers.location !== undefined && status >= 300 && status < 400;
      if (!isRedirect || redirect === 'return') {
        const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
        const isChallenge = headers['cf-mitigated'] !== undefined;
        const text = await readStart(response, maxSize, isComplete);
        return { status, type: type.trim().toLowerCase(), text, isChallenge, headers };
      }
      sent.destroy();
      const target = URL.parse(headers.location ?? '', `https://${url.hostname}${pathname}${search}`);
      if (target?.origin !== `https://${url.hostname}`)
        throw new RedirectError('It redirects to another host', target ?? undefined);
      ({ pathname, search } = target);
    }
    throw new RedirectError('It redirects too often');
  };
}

function isIPv4Compatible(address: string): boolean {
  return isIPv6(address) && ipv4Compatible.check(address, 'ipv6');
}

function notAllowed(address: string): Error {
  return new Error(`The address ${address} is not allowed`);
}

/** Refuses names with such an address. */
function withoutIPv4Compatible(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      const refused = addresses.find(isIPv4Compatible);
      if (refused === undefined) callback(error, found, family);
      else callback(notAllowed(refused), []);
    });
}

async function readStart(
  response: IncomingMessage,
  maxSize: number,
  isComplete: (text: string) => boolean,
): Promise<string> {
  if (maxSize === 0) {
    response.destroy();
    return '';
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxSize || (chunk.includes('\n') && isComplete(Buffer.concat(chunks).toString()))) break;
  }
  return Buffer.concat(chunks).subarray(0, maxSize).toString('utf8');
}

/** Resolves a name over the network: `dns.lookup` would hold a thread of the pool while a name server is slow. */
const lookupWithoutThreads: LookupFunction = async (hostname, { all }, callback) => {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  const [first] = addresses;
  if (!first) callback(toLookupError(hostname, [four, six]), []);
  else if (all) callback(null, addresses);
  else callback(null, first.address, first.family);
};

/** The error of a name without addresses; its code is ENOTFOUND only if the name servers say so. */
function toLookupError(hostname: string, results: readonly PromiseSettledResult<unknown>[]): Error {
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const codes = reasons.map((reason) => (reason as NodeJS.ErrnoException).code ?? '');
  const isMissing = codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA');
  return Object.assign(new Error(`${hostname} has no address`), isMissing ? { code: 'ENOTFOUND' } : {});
}
