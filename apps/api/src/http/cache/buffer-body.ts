/**
 * Reads a body; undefined for a stream of more than `maxSize` bytes, which is not read to its end.
 * @param onSize called with the bytes that are held so far
 */
export async function bufferBody(
  body: string | Buffer | AsyncIterable<string>,
  maxSize: number,
  onSize: (bytes: number) => void,
): Promise<Buffer | undefined> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    onSize(Buffer.byteLength(body));
    return Buffer.isBuffer(body) ? body : Buffer.from(body);
  }
  const parts: string[] = [];
  let size = 0;
  for await (const part of body) {
    size += Buffer.byteLength(part);
    if (size > maxSize) return undefined;
    onSize(size);
    parts.push(part);
  }
  return Buffer.from(parts.join(''));
}
