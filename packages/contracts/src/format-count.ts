/**
 * Formats a whole number with thousands separators. Not `Intl.NumberFormat`, whose first use blocks a slow phone.
 * @example formatCount(12345) // '12,345'
 */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * Formats a number of things.
 * @example countOf(1200, 'entry', 'entries') // '1,200 entries'
 */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
