export type TotalBound = 'lower';

/**
 * Formats a whole number with thousands separators. Not `Intl.NumberFormat`, whose first use blocks a slow phone.
 * @example formatCount(12345) // '12,345'
 * @example formatCount(10000, 'lower') // '10,000+'
 */
export function formatCount(count: number, bound?: TotalBound): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',') + (bound ? '+' : '');
}

/** Formats a number of things, such as `1,200 entries`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

// Made once, since that takes longer than to format a day.
const dayFormats = {
  long: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
  medium: new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }),
};

/** Formats the day of an instant in UTC, so that server and browser render the same. */
export function describeDay(instant: string, dateStyle: 'long' | 'medium' = 'long'): string {
  return dayFormats[dateStyle].format(new Date(instant));
}
