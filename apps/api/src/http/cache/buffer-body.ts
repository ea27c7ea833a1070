/**
 * Reads a stream to its end.
 * @param hold called with the bytes that are held so far; `false` if they are too many
 * @returns undefined for too many, without having read the rest
 */
export async function bufferBody(
  stream: AsyncIterable<string>,
  hold: (bytes: number) => boolean,
): Promise<Buffer | undefined> {
  const parts: string[] = [];
  let size = 0;
  for await (const part of stream) {
    size += Buffer.byteLength(part);
    if (!hold(size)) return undefined;
    parts.push(part);
  }
  return Buffer.from(parts.join(''));
}
