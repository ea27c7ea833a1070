import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A key of a publisher: what its domain serves, and what signs. */
export type PublisherKey = { record: string; text: string; sign: (text: string) => string };

/** Makes a key as `mcp-publisher` has them. */
export function makePublisherKey(algorithm: 'ed25519' | 'ecdsap384' = 'ed25519'): PublisherKey {
  const { privateKey } =
    algorithm === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const text = toPublicText(privateKey);
  return { text, record: `v=MCPv1; k=${algorithm}; p=${text}`, sign: (signed) => signText(privateKey, signed) };
}

/** The public part of a key as base64: of P-384 compressed. */
export function toPublicText(key: KeyObject): string {
  const { x = '', y } = createPublicKey(key).export({ format: 'jwk' });
  const bytes = Buffer.from(x, 'base64url');
  if (y === undefined) return bytes.toString('base64');
  const isOdd = Buffer.from(y, 'base64url').readUInt8(47) & 1;
  return Buffer.concat([Buffer.from([2 + isOdd]), bytes]).toString('base64');
}

function signText(key: KeyObject, text: string): string {
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha384';
  return sign(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('hex');
}

/** The order of P-384. */
const ORDER = BigInt(
  '0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
);

/** The other signature that counts wherever one of P-384 does: with the mirrored s. */
export function mirror(signature: string): string {
  const s = ORDER - BigInt(`0x${signature.slice(96)}`);
  return signature.slice(0, 96) + s.toString(16).padStart(96, '0');
}

/** Starts a name server on the loopback address that answers with these TXT records by name. */
export async function startNameServer(records: Record<string, string[]>) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5;
    const labels: string[] = [];
    for (let at = 12; query.readUInt8(at) !== 0; at += query.readUInt8(at) + 1) {
      labels.push(query.toString('latin1', at + 1, at + 1 + query.readUInt8(at)));
    }
    const answers = (records[labels.join('.').toLowerCase()] ?? []).map((text) => {
      const parts = text.match(/.{1,255}/gs) ?? [];
      const data = Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
      const head = Buffer.from('c00c00100001000000000000', 'hex');
      head.writeUInt16BE(data.length, 10);
      return Buffer.concat([head, data]);
    });
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(answers.length > 0 ? 0x81_80 : 0x81_83, 2);
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}
