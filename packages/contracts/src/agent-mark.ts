import type { Agent } from './agent.ts';
import type { Category } from './category.ts';
import { toGraphemes } from './characters.ts';

/** The mark of an agent: one or two initials in white on a gradient of two colours. */
export type AgentMark = {
  initials: string;
  /** The colours of the gradient, from the top left to the bottom right, as CSS and SVG write them. */
  colours: readonly [from: string, to: string];
};

/** How far the id turns the hue of the category to either side, and half the width of the gradient, in degrees. */
const MAX_TURN = 14;

/** Returns the mark of an agent of a category: its initials, and the hue of the category turned by a hash of its id. */
export function toAgentMark(
  { id, name }: Pick<Agent, 'id' | 'name'>,
  { hue, lightness }: Pick<Category, 'hue' | 'lightness'>,
): AgentMark {
  const hash = hashText(id);
  const turned = hue + (hash % (2 * MAX_TURN + 1)) - MAX_TURN;
  const direction = hash & 64 ? MAX_TURN : -MAX_TURN;
  const toColour = (degrees: number) => `hsl(${(degrees + 360) % 360}, 68%, ${lightness}%)`;
  return { initials: readInitials(name), colours: [toColour(turned - direction), toColour(turned + direction)] };
}

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The first letters of the first two words; one for Chinese, Japanese and Korean; an emoji at the start as it is. */
function readInitials(name: string): string {
  const [first = ''] = toGraphemes(name.trim());
  if (EMOJI.test(first) || UNSPACED.test(first)) return first;
  const letters = name
    .split(/[\s\-–—_/]+/u)
    .flatMap((word) => toGraphemes(word).find((grapheme) => LETTER_OR_DIGIT.test(grapheme)) ?? []);
  const [one = first, two = ''] = letters;
  return (UNSPACED.test(two) ? one : one + two).toLocaleUpperCase('en');
}

/** FNV-1a in 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}
