/** Whether a text is a page, whatever type it has: many websites show one at any address. */
export function isPage(text: string): boolean {
  return /^[\s\uFEFF]*</.test(text);
}
