/** Reads a body of up to `maxSize` bytes; a larger stream is returned as a stream of all its parts. */
export async function bufferBody(
  body: string | Buffer | AsyncIterable<string>,
  maxSize: number,
): Promise<Buffer | AsyncIterable<string>> {
  if (typeof body === 'string') return Buffer.from(body);
  if (Buffer.isBuffer(body)) return body;
  const parts: string[] = [];
  let size = 0;
  const iterator = body[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await iterator.next();
    if (done) return Buffer.from(parts.join(''));
    parts.push(value);
    size += Buffer.byteLength(value);
    if (size > maxSize) return concat(parts, iterator);
  }
}

async function* concat(parts: readonly string[], rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield* parts;
  yield* { [Symbol.asyncIterator]: () => rest };
}
