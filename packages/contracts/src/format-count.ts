/**
 * Writes a whole number with its thousands set apart, as texts have it. The first `Intl.NumberFormat` of a page does the same and
 * takes a slow phone a fortieth of a second.
 * @example formatCount(12345) // '12,345'
 */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
