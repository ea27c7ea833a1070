/** The bytes that one response holds in memory: its own, and a buffer that other responses may hold too. */
export type HeldBytes = { own: number; buffer?: Buffer | undefined };

/** A count of the bytes that responses hold. A buffer that several responses hold counts once. */
export type ByteCount = ReturnType<typeof createByteCount>;

/** Creates a count of 0 bytes. */
export function createByteCount() {
  /** How many responses hold each buffer. */
  const holders = new Map<Buffer, number>();
  let total = 0;
  /** The bytes that a buffer would add: none if a response holds it already. */
  const sizeOf = (buffer: Buffer) => (holders.has(buffer) ? 0 : buffer.length);

  return {
    get total(): number {
      return total;
    },
    sizeOf,
    add({ own, buffer }: HeldBytes): void {
      total += own;
      if (!buffer) return;
      total += sizeOf(buffer);
      holders.set(buffer, (holders.get(buffer) ?? 0) + 1);
    },
    remove({ own, buffer }: HeldBytes): void {
      total -= own;
      if (!buffer) return;
      const others = (holders.get(buffer) ?? 1) - 1;
      if (others > 0) holders.set(buffer, others);
      else {
        holders.delete(buffer);
        total -= buffer.length;
      }
    },
  };
}
