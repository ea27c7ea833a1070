import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { readStart } from './read-start.ts';

export const MAX_BODY_SIZE = 65_536;
/** Most redirects that are followed, within one host. */
const MAX_REDIRECTS = 3;

// `::7f00:1` is `127.0.0.1` to some systems; the agent refuses it in the spelling `::127.0.0.1` only.
const refused = new BlockList();
refused.addSubnet('::', 96, 'ipv6');
// IANA has given no addresses outside of 2000::/3 to networks that everybody reaches.
const UNGIVEN = '100::/8 200::/7 400::/6 800::/5 1000::/4 4000::/2 8000::/2 c000::/3 e000::/4 f000::/5 f800::/6';
for (const block of UNGIVEN.split(' ')) {
  const [prefix = '', bits] = block.split('/');
  refused.addSubnet(prefix, Number(bits), 'ipv6');
}
// Link-local ones, and others where clouds tell machines their secrets.
refused.addSubnet('169.254.0.0', 16, 'ipv4');
refused.addSubnet('fe80::', 10, 'ipv6');
refused.addSubnet('fd00:ec2::', 32, 'ipv6');
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192']) refused.addAddress(address, 'ipv4');

export type WebsiteResponse = {
  status: number;
  /** The media type in lower case without parameters, such as `text/html`; empty if the website names none. */
  type: string;
  /** The first bytes of the body, decompressed and decoded. */
  text: string;
  /** Whether this is the page of a protection against bots, in place of the website's own. */
  isChallenge: boolean;
  /** When a busy website may be asked again, in milliseconds from now; undefined if it does not say so. */
  retryAfter?: number | undefined;
  headers: IncomingHttpHeaders;
};

/** Sends a request to a website over https, by default GET. Only the host, the path and the query of the address are used. */
export type GuardedFetch = (
  url: URL,
  options: {
    userAgent: string;
    /** Ends the request, from the lookup of the name to the last byte. */
    signal: AbortSignal;
    method?: 'GET' | 'POST';
    /** Headers besides those of every request. */
    headers?: Record<string, string>;
    body?: string;
    /** Whether the body is enough up to a line of it, which is given without its end; asked for each line in turn. */
    isComplete?: (line: string) => boolean;
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
  readonly target: URL | undefined;

  constructor(message: string, target?: URL) {
    super(message);
    this.target = target;
  }
}

/** Options of `createGuardedFetch`, which tests set to reach a server of their own. */
export type GuardedFetchOptions = {
  lookup?: LookupFunction;
  /** Whether addresses of the operator's own network are allowed, without link-local ones and those of metadata. */
  allowsPrivate?: boolean;
  allowedAddresses?: string[];
  port?: number;
  ca?: string;
};

/** Fetches what strangers name: https on port 443, from public addresses; the address that is checked is connected to. */
export function createGuardedFetch({
  lookup = lookupWithoutThreads,
  allowedAddresses = [],
  allowsPrivate = false,
  port = 443,
  ca,
}: GuardedFetchOptions = {}): GuardedFetch {
  const agent = new RequestFilteringHttpsAgent({
    lookup: withoutRefused(lookup),
    allowPrivateIPAddress: allowsPrivate,
    allowIPAddressList: allowedAddresses,
    ca,
  });

  return async function guardedFetch(url, options) {
    const { userAgent, signal, accept, maxSize = MAX_BODY_SIZE, redirect = 'follow', beforeRequest } = options;
    const { method = 'GET', body, isComplete } = options;
    let { pathname, search } = url;
    const host = url.hostname.replaceAll(/[[\]]/g, '');
    if (isRefused(host)) throw notAllowed(host);
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
        const retryAfter = toDelay(headers['retry-after']);
        const text = await readStart(response, maxSize, isComplete);
        return { status, type: type.trim().toLowerCase(), text, isChallenge, retryAfter, headers };
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

function isRefused(address: string): boolean {
  return isIP(address) !== 0 && refused.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function notAllowed(address: string): Error {
  return new Error(`The address ${address} is not allowed`);
}

function withoutRefused(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      const wrong = addresses.find(isRefused);
      if (wrong === undefined) callback(error, found, family);
      else callback(notAllowed(wrong), []);
    });
}

/** The milliseconds from now that `Retry-After` says, as seconds or as a time. */
function toDelay(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const delay = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
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
