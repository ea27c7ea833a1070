/** What became of an agent in a change. */
export const changeKinds = ['listed', 'updated', 'removed'] as const;

/** What became of an agent in a change. */
export type ChangeKind = (typeof changeKinds)[number];

/** Who changed an agent. `anyone` registered it without a key; `website` proved control of the website. */
export const changeActors = ['owner', 'website', 'operator', 'import', 'anyone'] as const;

/** Who changed an agent. */
export type ChangeActor = (typeof changeActors)[number];

/** A cursor of the change log: the id of the log, and the number of the last change that was read. */
export type ChangesCursor = { log: string; number: number };

/** Writes a cursor of the change log, which is opaque to clients. */
export function toChangesCursor({ log, number }: ChangesCursor): string {
  return `${log}.${number}`;
}

/** Reads a cursor of the change log; undefined for any other text. */
export function parseChangesCursor(text: string): ChangesCursor | undefined {
  const [, log, number] = /^([\w-]{12})\.(\d{1,15})$/.exec(text) ?? [];
  return log === undefined ? undefined : { log, number: Number(number) };
}
