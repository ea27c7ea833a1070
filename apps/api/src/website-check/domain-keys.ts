// The keys with which a domain publishes to registries of MCP: in a file of its host, or in its TXT records.
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { findAddressFault, isSharedHost } from '@agent-registry/contracts';
import { LRUCache } from 'lru-cache';
import { getDomain } from 'tldts';
import { RegistryError } from '../registry-error.ts';
import type { GuardedFetch } from './guarded-fetch.ts';

/** The most bytes of the file that are read. */
const MAX_FILE_SIZE = 4_096;
/** The most keys of a domain that are tried. */
const MAX_KEYS = 16;
/** How long a domain may take to answer, in milliseconds. */
const TIMEOUT = 5_000;
/** For how long an answer of a domain is shared, in milliseconds, and of how many domains. */
const [SHARED_FOR, MAX_SHARED] = [10_000, 1_000];

/** The algorithms: the size of a key, and what stands before its bytes in its DER form. */
const algorithms = {
  ed25519: { size: 32, der: '302a300506032b6570032100', hash: null },
  ecdsap384: { size: 49, der: '3046301006072a8648ce3d020106052b81040022033200', hash: 'sha384' },
} as const;

export type KeyPlace = 'http' | 'dns';

/** Who has shown to have a key of a domain. */
export type Publisher = { domain: string; place: KeyPlace };

/** A key that a domain publishes, also as base64. */
type DomainKey = { algorithm: keyof typeof algorithms; key: KeyObject; text: string };

/**
 * Reads the keys of a domain.
 * @param count counts the requests to it; not called for an answer that is shared
 * @throws {RegistryError} `unauthorized` if there are none
 */
export type ReadDomainKeys = (
  publisher: Publisher,
  options: { userAgent: string; count: () => Promise<void> },
) => Promise<DomainKey[]>;

/** A domain in lower case; undefined for an address, a single label, a private name and a public suffix. */
export function toDomain(text: string): string | undefined {
  const domain = text.toLowerCase();
  const isName =
    /^[a-z\d.-]{1,253}$/.test(domain) && domain.split('.').every((label) => /^(?!-)[a-z\d-]{1,63}(?<!-)$/.test(label));
  if (!isName || findAddressFault(`https://${domain}/`) !== undefined) return undefined;
  return getDomain(domain, { allowPrivateDomains: true }) === null ? undefined : domain;
}

/** Whether a host is that of a key, or by DNS below it; a host that many people share stands for itself only. */
export function coversHost({ domain, place }: Publisher, host: string, sharedHosts: readonly string[]): boolean {
  return host === domain || (place === 'dns' && host.endsWith(`.${domain}`) && !isSharedHost(domain, sharedHosts));
}

/** Whether a key proves control of a website: of its whole host. */
export function provesWebsite(publisher: Publisher, website: string | null, sharedHosts: readonly string[]): boolean {
  const { hostname = '', port } = (website === null ? null : URL.parse(website)) ?? {};
  return port === '' && coversHost(publisher, hostname, sharedHosts) && !isSharedHost(hostname, sharedHosts);
}

/** Creates the reader of keys, over the guarded fetch and the name servers of the machine or, for tests, others. */
export function createDomainKeyReader(fetch: GuardedFetch, nameServers?: readonly string[]): ReadDomainKeys {
  const shared = new LRUCache<string, Promise<string[]>>({ max: MAX_SHARED, ttl: SHARED_FOR });
  return async ({ domain, place }, { userAgent, count }) => {
    const id = `${place} ${domain}`;
    const url = `https://${domain}/.well-known/mcp-registry-auth`;
    if (!shared.has(id)) {
      await count();
      // None from a domain that cannot be reached: details would let strangers explore networks.
      const reading = place === 'dns' ? readRecords(domain, nameServers) : readFile(url, fetch, userAgent);
      if (!shared.has(id))
        shared.set(
          id,
          reading.catch(() => []),
        );
    }
    const lines = (await shared.get(id)) ?? [];
    const keys = lines.flatMap((line) => parseKey(line) ?? []).slice(0, MAX_KEYS);
    if (keys.length > 0) return keys;
    const where = place === 'http' ? url : `the TXT records of ${domain}`;
    throw new RegistryError('unauthorized', `No key could be read from ${where}: v=MCPv1; k=ed25519; p=…`);
  };
}

async function readRecords(domain: string, nameServers: readonly string[] | undefined): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  return (await resolver.resolveTxt(domain)).map((parts) => parts.join('').slice(0, MAX_FILE_SIZE));
}

async function readFile(url: string, fetch: GuardedFetch, userAgent: string): Promise<string[]> {
  const limits = { maxSize: MAX_FILE_SIZE, redirect: 'return', signal: AbortSignal.timeout(TIMEOUT) } as const;
  const { status, text } = await fetch(new URL(url), { ...limits, userAgent });
  return status === 200 ? text.split('\n') : [];
}

function parseKey(line: string): DomainKey | undefined {
  const [, algorithm = '', text = ''] =
    /^v=MCPv1;\s*k=(ed25519|ecdsap384);\s*p=([A-Za-z\d+/]{1,80}={0,2});?$/.exec(line.trim()) ?? [];
  if (algorithm !== 'ed25519' && algorithm !== 'ecdsap384') return undefined;
  const { size, der } = algorithms[algorithm];
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== size) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(der + bytes.toString('hex'), 'hex'), format: 'der', type: 'spki' });
    return { algorithm, key, text: bytes.toString('base64') };
  } catch {
    // No point of the curve.
    return undefined;
  }
}

/**
 * Finds the key that has signed a text.
 * @param signature hexadecimal; of ECDSA r and s, over the SHA-384 of the text
 * @throws {RegistryError} `unauthorized`, naming the keys, if none has
 */
export function findSigner(keys: readonly DomainKey[], text: string, signature: string): DomainKey {
  const signer = keys.find(({ algorithm, key }) =>
    verify(
      algorithms[algorithm].hash,
      Buffer.from(text),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'hex'),
    ),
  );
  if (signer) return signer;
  const named = keys.map((key) => `${key.algorithm}:${key.text.slice(0, 8)}`).join(', ');
  throw new RegistryError('unauthorized', `The signature is not that of a published key: ${named}`);
}
