import { constants, createPublicKey, verify, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto';
import {
  parseJson,
  textAt,
  toCanonicalJson,
  toObject,
  valuesAt,
  type CardFacts,
  type Json,
} from '@agent-registry/contracts';
import type { WebsiteResponse } from '../website-check/guarded-fetch.ts';

/** Most signatures of a card, and keys of a set, that are tried. */
const [MAX_SIGNATURES, MAX_KEYS] = [3, 20] as const;

/** Whose keys count, and how they are read. */
export type Signer = {
  /** The host that the owner of the entry controls, as was seen. */
  host: string | undefined;
  readKeys: (address: URL) => Promise<Pick<WebsiteResponse, 'status' | 'text'> | undefined>;
};

type Algorithm = { digest: string | null; type: string; curve?: string; options?: Partial<VerifyKeyObjectInput> };

/** The algorithms by their names (RFC 7518, RFC 8037). */
const algorithms: Record<string, Algorithm> = {
  ES256: { digest: 'sha256', type: 'ec', curve: 'prime256v1', options: { dsaEncoding: 'ieee-p1363' } },
  ES384: { digest: 'sha384', type: 'ec', curve: 'secp384r1', options: { dsaEncoding: 'ieee-p1363' } },
  EdDSA: { digest: null, type: 'ed25519' },
  RS256: { digest: 'sha256', type: 'rsa' },
  PS256: {
    digest: 'sha256',
    type: 'rsa',
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
  },
};

/** Verifies the signatures of a card (RFC 7515, detached) with keys that are read from the host of the owner alone. */
export async function verifyCard(card: Json, signer: Signer): Promise<Pick<CardFacts, 'signature' | 'signedBy'>> {
  const { signatures, ...signed } = card;
  if (!Array.isArray(signatures) || signatures.length === 0) return {};
  const { host } = signer;
  for (const signature of signatures.slice(0, MAX_SIGNATURES)) {
    if (host !== undefined && (await isSigned(signed, toObject(signature), { ...signer, host })))
      return { signature: 'verified', signedBy: host };
  }
  return { signature: 'not verified' };
}

async function isSigned(card: Json, signature: Json, { host, readKeys }: Signer & { host: string }): Promise<boolean> {
  const [given, value] = [textAt(signature, 'protected') ?? '', textAt(signature, 'signature') ?? ''];
  const header = toObject(parseJson(Buffer.from(given, 'base64url').toString()));
  const { alg, kid, jku } = header;
  const algorithm = typeof alg === 'string' && Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined;
  const address = typeof jku === 'string' ? URL.parse(jku) : null;
  // An extension that must be understood is not.
  if (!algorithm || 'crit' in header || typeof kid !== 'string' || address?.origin !== `https://${host}`) return false;
  const answer = await readKeys(address).catch(() => undefined);
  if (answer?.status !== 200) return false;
  const key = findKey(parseJson(answer.text), kid, algorithm);
  if (!key) return false;
  try {
    const data = Buffer.from(`${given}.${Buffer.from(toCanonicalJson(card)).toString('base64url')}`);
    return verify(algorithm.digest, data, { key, ...algorithm.options }, Buffer.from(value, 'base64url'));
  } catch {
    // A card that is nested deeper than the stack.
    return false;
  }
}

/** The key of a set with an id, if it fits the algorithm. */
function findKey(set: unknown, kid: string, { type, curve }: Algorithm): KeyObject | undefined {
  const jwk = valuesAt(set, 'keys')
    .slice(0, MAX_KEYS)
    .map(toObject)
    .find((one) => one.kid === kid);
  try {
    const key = jwk && createPublicKey({ key: jwk, format: 'jwk' });
    const isFit = key?.asymmetricKeyType === type && key.asymmetricKeyDetails?.namedCurve === curve;
    return isFit ? key : undefined;
  } catch {
    return undefined;
  }
}
