import { cutText } from '@agent-registry/contracts';

/** Longest description of a page, in characters; search engines and link previews show no more. */
const MAX_LENGTH = 160;

/** Shortens a text to one line, by default for the head of a page; preferably no word is cut. */
export function shorten(text: string, maxLength = MAX_LENGTH): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (cutText(line, maxLength) === line) return line;
  return `${cutText(line, maxLength - 1).replace(/\s\S{0,30}$/, '')}…`;
}

/** Longest description on a card, in characters; the page of the agent has all of it. */
export const MAX_CARD_TEXT = 180;

export function toCardText(description: string): string {
  return shorten(description, MAX_CARD_TEXT);
}
