import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BRAND, BRAND_COLOUR, OG_IMAGE_SIZE } from '@agent-registry/contracts';

/** What a picture says, and its colour as CSS has it. */
export type OgImageContent = { title: string; subtitle: string; colour: string };

const { width: WIDTH, height: HEIGHT } = OG_IMAGE_SIZE;
/** The size of a name, in pixels, and how wide its lines may be, in times of that. */
const NAME_SIZE = 68;
const NAME_WIDTH = 1_040 / NAME_SIZE;
const MAX_NAME_LINES = 4;

/** How far the letters of flags are behind those that they show. */
const FLAG_LETTERS = 0x1_f1_e6 - 0x41;

const require = createRequire(import.meta.url);
const fontFiles = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
];
// What is not in the first: of many megabytes, and therefore read only for a text that needs it.
const otherFonts = [
  {
    letters: /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\uFF00-\uFFEF]/u,
    file: join(require.resolve('@embedpdf/fonts-sc'), '../../fonts/NotoSansHans-Bold.otf'),
  },
  {
    letters: /\p{Script=Hangul}/u,
    file: join(require.resolve('@embedpdf/fonts-kr'), '../../fonts/NotoSansKR-Bold.otf'),
  },
  {
    letters: /\p{Script=Thai}/u,
    file: require.resolve('@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf'),
  },
  {
    letters: /\p{Emoji_Presentation}/u,
    file: require.resolve('@expo-google-fonts/noto-emoji/700Bold/NotoEmoji_700Bold.ttf'),
  },
];

let lastDrawn: Promise<unknown> = Promise.resolve();

/** Draws a picture as PNG on another thread, one after the other, so that pictures never take more than one processor. */
export function renderOgImage(content: OgImageContent): Promise<Buffer> {
  const draw = async () => {
    // Takes some megabytes, and most processes are never asked for a picture.
    const { renderAsync } = await import('@resvg/resvg-js');
    const svg = toSvg(content);
    const others = otherFonts.filter(({ letters }) => letters.test(svg)).map(({ file }) => file);
    const picture = await renderAsync(svg, {
      font: {
        fontFiles: [...fontFiles, ...others],
        defaultFontFamily: 'DejaVu Sans',
        loadSystemFonts: false,
      },
    });
    return picture.asPng();
  };
  const drawn = lastDrawn.then(draw, draw);
  lastDrawn = drawn;
  return drawn;
}

function toSvg({ title, subtitle, colour }: OgImageContent): string {
  const lines = toLines(toSingleLetters(title));
  const top = 335 - ((lines.length - 1) * NAME_SIZE * 1.2) / 2;
  const tspans = lines.map(
    (line, index) =>
      `<text x="80" y="${top + index * NAME_SIZE * 1.2}" font-size="${NAME_SIZE}" font-weight="700" fill="#131a23">${escape(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans">
    <rect width="${WIDTH}" height="${HEIGHT}" fill="#f7f9fa"/>
    <rect width="24" height="${HEIGHT}" fill="${colour}"/>
    <text x="80" y="110" font-size="32" font-weight="700" fill="${colour}">${escape(subtitle)}</text>
    ${tspans.join('')}
    <g transform="translate(80 528) scale(1.6)"><rect width="32" height="32" rx="8" fill="${BRAND_COLOUR}"/><g fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><rect x="7.5" y="11.5" width="17" height="13" rx="4"/><path d="M16 11.5V7.5M12.8 17v1.6M19.2 17v1.6"/></g><circle cx="16" cy="6.6" r="1.8" fill="#fff"/></g>
    <text x="150" y="566" font-size="32" font-weight="700" fill="#131a23">${BRAND}</text>
  </svg>`;
}

/**
 * A text without what fonts draw several characters of as one letter: resvg takes what a font has not from another only where
 * that draws as many letters of the line.
 */
function toSingleLetters(text: string): string {
  return (
    text
      .normalize()
      .replaceAll(/\p{Regional_Indicator}/gu, (letter) =>
        String.fromCodePoint((letter.codePointAt(0) ?? 0) - FLAG_LETTERS),
      )
      // Of a family, its first; of a thumb, the thumb without its colour; of a key with a 1 on it, the 1.
      .replaceAll(/\u200D\p{Extended_Pictographic}|[\uFE0E\uFE0F\u20E3\p{Emoji_Modifier}]/gu, '')
      .replaceAll(/f(?=[fijl])/g, 'f\u200C')
      // Thai am is a ring, which comes below a mark of tone, and a letter.
      .replaceAll(/(\p{Mn}?)\u0E33/gu, '\u0E4D$1\u0E32')
  );
}

/** Breaks a name into lines; what has no room ends in an ellipsis. */
function toLines(name: string): string[] {
  const lines = [''];
  const fits = (text: string) => measure(text.trim()) <= NAME_WIDTH;
  // Where a space ends; in a text without, such as Thai, between words; in one that is longer than a line, between letters.
  const pieces = name
    .split(/(?<=\s)/u)
    .flatMap((text) => (fits(text) ? [text] : segment(text, 'word')))
    .flatMap((word) => (fits(word) ? [word] : segment(word, 'grapheme')));
  for (const piece of pieces) {
    const line = lines.at(-1) ?? '';
    if (fits(line + piece)) lines[lines.length - 1] = line + piece;
    else lines.push(piece);
  }
  const shown = lines.slice(0, MAX_NAME_LINES).map((line) => line.trim());
  if (lines.length > MAX_NAME_LINES)
    shown.push(
      `${segment(shown.pop() ?? '', 'grapheme')
        .slice(0, -1)
        .join('')}…`,
    );
  return shown;
}

function segment(text: string, granularity: 'word' | 'grapheme'): string[] {
  return Array.from(new Intl.Segmenter('en', { granularity }).segment(text), (part) => part.segment);
}

/** About how wide a text is in bold letters, in times of their size. */
function measure(text: string): number {
  return Array.from(text, measureLetter).reduce((sum, width) => sum + width, 0);
}

function measureLetter(letter: string): number {
  if (/\u200C|\p{Mn}/u.test(letter)) return 0;
  if (/\p{Emoji_Presentation}/u.test(letter)) return 1.25;
  if (!/[ -~\p{Script=Thai}]/u.test(letter)) return 1;
  return /[MWmw@%]/.test(letter) ? 1.05 : 0.7;
}

// No document of XML may have the last two characters that there are.
function escape(text: string): string {
  return text
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
