/** Takes the first rows that together have at most `maxBytes`; at least one, if there are any. */
export function takeWithin<Row extends { size: number }>(rows: readonly Row[], maxBytes: number): Row[] {
  let bytes = 0;
  const end = rows.findIndex(({ size }, index) => (bytes += size) > maxBytes && index > 0);
  return end === -1 ? [...rows] : rows.slice(0, end);
}
