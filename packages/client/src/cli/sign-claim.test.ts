import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { readPrivateKey } from './sign-claim.ts';

const toHex = (key: KeyObject) => Buffer.from(key.export({ format: 'jwk' }).d!, 'base64url').toString('hex');

test('a private key is read in every form that publishers have, and nothing else is', () => {
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  for (const { privateKey: key } of [generateKeyPairSync('ed25519'), curve]) {
    const pem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
    for (const text of [`${toHex(key)}\n`, toHex(key).toUpperCase(), pem]) {
      expect(readPrivateKey(text).equals(key)).toBe(true);
    }
  }
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export({ format: 'pem', type: 'pkcs8' });
  for (const text of ['', 'x', 'ab'.repeat(33), rsa.toString()]) expect(() => readPrivateKey(text)).toThrow(Error);
});
