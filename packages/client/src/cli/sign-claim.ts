import { createECDH, createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { toClaimText } from '@agent-registry/contracts';

/** What stands before the bytes of an Ed25519 key in its DER form. */
const ED25519 = '302e020100300506032b657004220420';

/**
 * Reads a private key: in hexadecimal digits, as `mcp-publisher` takes it, or as PEM; of Ed25519 or of the curve P-384.
 * @throws {Error} if it is none
 */
export function readPrivateKey(text: string): KeyObject {
  const given = text.trim();
  if (given.startsWith('-----BEGIN')) {
    const key = createPrivateKey(given);
    if (key.asymmetricKeyType === 'ed25519' || key.asymmetricKeyDetails?.namedCurve === 'secp384r1') return key;
    throw new Error('The private key must be of Ed25519 or of the curve P-384.');
  }
  if (/^[\da-f]{64}$/i.test(given)) {
    return createPrivateKey({ key: Buffer.from(ED25519 + given, 'hex'), format: 'der', type: 'pkcs8' });
  }
  if (!/^[\da-f]{96}$/i.test(given))
    throw new Error('The private key must be 32 or 48 bytes in hexadecimal digits, or PEM.');
  const curve = createECDH('secp384r1');
  curve.setPrivateKey(given, 'hex');
  const toText = (bytes: Buffer) => bytes.toString('base64url');
  const point = curve.getPublicKey();
  const [x, y, d] = [point.subarray(1, 49), point.subarray(49), Buffer.from(given, 'hex')].map(toText);
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-384', x, y, d }, format: 'jwk' });
}

/** Signs a claim, and nothing else. */
export function signClaim(key: KeyObject, claim: Parameters<typeof toClaimText>[0]): string {
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha384';
  return sign(algorithm, Buffer.from(toClaimText(claim)), { key, dsaEncoding: 'ieee-p1363' }).toString('hex');
}
