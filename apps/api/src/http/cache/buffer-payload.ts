import { Readable } from 'node:stream';

/** The bytes of a payload; a stream that has more of them than can be kept is given on with all that it has. */
export async function bufferPayload(payload: unknown, limit: number): Promise<unknown> {
  if (!(payload instanceof Readable)) return payload;
  const chunks: Buffer[] = [];
  let size = 0;
  const rest = payload.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer | string>;
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    chunks.push(Buffer.from(next.value as Buffer));
    size += chunks.at(-1)?.length ?? 0;
    if (size > limit) return Readable.from(chain(chunks, rest), { objectMode: false });
  }
  return Buffer.concat(chunks);
}

async function* chain(read: Buffer[], rest: AsyncIterator<Buffer | string>): AsyncGenerator<Buffer | string> {
  yield* read;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
