/**
 * Writes every line break of a text as a line feed. Browsers post the texts of forms with CRLF, and show a text with any
 * line breaks as one with line feeds.
 */
export function normalizeLineEndings(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
