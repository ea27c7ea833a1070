import type { Agent } from './agent.ts';
import type { Category } from './category.ts';
import { toGraphemes } from './characters.ts';

export type MarkArea = { colour: string; path: string };

/** The mark of an agent: one or two initials in white on a shade over a pattern of shapes in the hue of its category. */
export type AgentMark = {
  initials: string;
  /** The pattern from back to front: the whole tile, then the shapes of each colour. */
  pattern: readonly MarkArea[];
};

export const MARK_VIEW_BOX = '0 0 2 2';
const TILE = 'M0 0h2v2H0z';
/** Lies between the pattern and the initials, which have enough contrast on it. */
export const MARK_SHADE: MarkArea = { colour: '#0000004d', path: TILE };
/** How far the id turns the hue of the category to either side, in degrees. */
const MAX_TURN = 14;
/** The lightness of the tile and of the shapes, as a multiple of that of the category. */
const STEPS = { tile: 0.75, shapes: [1.1, 1.45] };

/** The mark of an agent: a hash of its id chooses the shapes of 2 × 2 cells, and turns the hue of its category. */
export function toAgentMark({ id, name }: Pick<Agent, 'id' | 'name'>, category: MarkCategory): AgentMark {
  return { initials: readInitials(name), pattern: toMarkPattern(hashText(id), category) };
}

type MarkCategory = Pick<Category, 'hue' | 'lightness'>;

/** Returns the pattern of a mark. @param hash that of the id of its agent */
export function toMarkPattern(hash: number, { hue, lightness }: MarkCategory): readonly MarkArea[] {
  const turned = (hue + (hash % (2 * MAX_TURN + 1)) - MAX_TURN + 360) % 360;
  const toColour = (step: number) => `hsl(${turned}, 68%, ${Math.round(step * lightness)}%)`;
  const toCell = (cell: number) => {
    const digit = Math.floor(hash / (2 * SHAPES) ** cell) % (2 * SHAPES);
    return { step: digit % 2, path: drawShape(digit >> 1, cell % 2, cell >> 1) };
  };
  const cells = [toCell(0), toCell(1), toCell(2), toCell(3)] as const;
  // Each step has a shape.
  if (cells.every(({ step }) => step === cells[0]?.step)) cells[3].step = 1 - cells[3].step;
  const shapes = STEPS.shapes.map((step, index) => ({
    colour: toColour(step),
    path: cells.flatMap((cell) => (cell.step === index ? cell.path : [])).join(''),
  }));
  return [{ colour: toColour(STEPS.tile), path: TILE }, ...shapes];
}

/** A quarter circle or a triangle in each of four corners, or a disc. */
const SHAPES = 9;
const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;

function drawShape(shape: number, column: number, row: number): string {
  if (shape === SHAPES - 1) return `M${column} ${row + 0.5}a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0z`;
  const [corner, next, last] = [0, 1, 3].map((turn) => {
    const [x, y] = CORNERS[(shape + turn) % 4] as readonly [number, number];
    return `${column + x} ${row + y}`;
  });
  return `M${corner}L${next}${shape < 4 ? 'A1 1 0 0 1 ' : 'L'}${last}z`;
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
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}
