/**
 * How many reads of `READ_LIMIT` a read counts as, by its kind. One read stands for 20 ms of processor on both engines
 * together; `npx -y pnpm@12 attacks` measures each kind.
 */
export const readCharges = { picture: 8 };
