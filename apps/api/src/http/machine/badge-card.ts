import {
  escapeXml,
  getCategory,
  MARK_SHADE,
  MARK_VIEW_BOX,
  replaceHidden,
  toAgentMark,
  toGraphemes,
  type Agent,
  type SiteConfig,
} from '@agent-registry/contracts';

export const cardSchemes = ['light', 'dark'] as const;

export type CardScheme = (typeof cardSchemes)[number];

const colours = {
  light: { ground: '#fff', line: '#ccd3d9', text: '#10181f', muted: '#55616e' },
  dark: { ground: '#12171e', line: '#343e4a', text: '#eef2f6', muted: '#9aa7b5' },
};

/** Widest line of text, in pixels. */
const MAX_WIDTH = 300;
/** Longest line of text, in UTF-16 code units: some characters have many and no width. */
const MAX_UNITS = 80;
/** The size of both lines of text, in pixels. */
const [NAME_SIZE, MESSAGE_SIZE] = [14, 12];

/** Draws the mark and the name of an agent with a message of ours, 52 pixels high. */
export function writeCard(agent: Agent, message: string, scheme: CardScheme, { name, categories }: SiteConfig): string {
  const { ground, line, text, muted } = colours[scheme];
  const { initials, pattern } = toAgentMark(agent, getCategory(categories, agent.category));
  const title = shorten(agent.name, NAME_SIZE);
  const note = shorten(`${message} · ${name}`, MESSAGE_SIZE);
  const width = 68 + Math.max(measure(title, NAME_SIZE), measure(note, MESSAGE_SIZE));
  const areas = [...pattern, MARK_SHADE].map(({ colour, path }) => `<path fill="${colour}" d="${path}"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="52" role="img">
<title>${isolate(title)}: ${escapeXml(note)}</title>
<rect x=".5" y=".5" width="${width - 1}" height="51" rx="12" fill="${ground}" stroke="${line}"/>
<clipPath id="r"><rect x="8" y="8" width="36" height="36" rx="9"/></clipPath>
<g clip-path="url(#r)"><svg x="8" y="8" width="36" height="36" viewBox="${MARK_VIEW_BOX}">${areas.join('')}</svg></g>
<g font-family="Arial,Helvetica,sans-serif" fill="${text}" aria-hidden="true">
<text x="26" y="31" font-size="13" font-weight="650" text-anchor="middle" fill="#fff">${escapeXml(initials)}</text>
<text x="54" y="23" font-size="${NAME_SIZE}" font-weight="650" textLength="${measure(title, NAME_SIZE)}">${isolate(title)}</text>
<text x="54" y="40" font-size="${MESSAGE_SIZE}" fill="${muted}" textLength="${measure(note, MESSAGE_SIZE)}">${escapeXml(note)}</text>
</g>
</svg>
`;
}

/** Cuts a text to the width of a line, without what nobody can see. */
function shorten(text: string, size: number): string {
  const line = replaceHidden(text, () => '');
  const characters = toGraphemes(line.slice(0, 2 * MAX_UNITS));
  let kept = line;
  while (kept.length > MAX_UNITS || measure(kept, size) > MAX_WIDTH) {
    characters.pop();
    kept = `${characters.join('').trimEnd()}…`;
  }
  return kept;
}

/** Writes a text of either direction so that it does not turn what is around it. */
function isolate(text: string): string {
  return `\u2068${escapeXml(text)}\u2069`;
}

/** The width of a text in pixels, estimated; the image stretches the text to it. */
function measure(text: string, size: number): number {
  return Math.ceil(size * Array.from(text, readWidth).reduce((sum, width) => sum + width, 0));
}

/** The width of a character as a part of the size of the font. */
function readWidth(character: string): number {
  if (/[fijlrtI.,:;'|!()[\] ·]/.test(character)) return 0.3;
  if (/[mwMW@%…]/.test(character)) return 0.9;
  if (/\p{M}/u.test(character)) return 0;
  if (character > '\u2E7F') return 1.02;
  return /\p{Lu}/u.test(character) ? 0.72 : 0.57;
}
