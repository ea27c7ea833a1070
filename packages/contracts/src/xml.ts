import { removeBroken } from './plain-text.ts';

/**
 * Escapes a text for an element or a quoted attribute of XML or HTML. Characters that XML 1.0 forbids, such as control
 * characters and U+FFFE, are removed: no escape makes them valid.
 */
export function escapeXml(text = ''): string {
  return removeBroken(text).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
