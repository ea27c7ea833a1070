import { readFileSync } from 'node:fs';
import {
  BRAND,
  BRAND_COLOUR,
  MARK_SHADE,
  MARK_VIEW_BOX,
  OG_IMAGE_SIZE,
  type AgentMark,
} from '@agent-registry/contracts';
import { Resvg } from '@resvg/resvg-js';
import satori, { type Font } from 'satori';

/** The texts, the accent colour in CSS, the mark of the agent, and the brand with its logo as a data URL. */
export type OgImageContent = {
  name: string;
  heading: string;
  /** Two lines of it are shown, where the fonts have all of its characters. */
  description?: string | undefined;
  terms?: readonly string[];
  colour: string;
  mark?: AgentMark;
  brand?: { name: string; logo: string | undefined };
};

type Element = { type: string; props: Record<string, unknown>; key: null };

const MAX_NAME_LINES = 4;
const MAX_DESCRIPTION_LINES = 2;
const [MARK_SIZE, MARK_GAP] = [176, 48];

const DESCRIPTION_STYLE = {
  marginTop: 20,
  color: '#55616e',
  fontSize: 32,
  fontWeight: 400,
  lineHeight: 1.4,
  lineClamp: MAX_DESCRIPTION_LINES,
};
const TERM_STYLE = {
  marginLeft: 16,
  padding: '6px 20px',
  border: '2px solid #ccd3d9',
  borderRadius: 14,
  fontSize: 28,
};

// Satori does not report combining marks without a glyph. A variation selector needs none.
const SEPARATE_MARK = /(?!\p{Variation_Selector})\p{M}/u;

// Satori reads WOFF but not WOFF2, and takes each missing glyph from the next font.
const fonts: Font[] = [
  ...['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'].flatMap((subset) =>
    ([400, 700] as const).map((weight) => toFont(`Inter ${subset}`, `inter-${subset}-${weight}-normal.woff`, weight)),
  ),
  toFont('Noto Emoji', 'noto-emoji-emoji-700-normal.woff', 700),
];
const fontFamily = [...new Set(fonts.map(({ name }) => name))].join(', ');

const LOGO = toDataUrl(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${BRAND_COLOUR}"/><g fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><rect x="7.5" y="11.5" width="17" height="13" rx="4"/><path d="M16 11.5V7.5M12.8 17v1.6M19.2 17v1.6"/></g><circle cx="16" cy="6.6" r="1.8" fill="#fff"/></svg>`,
);

/** Renders a PNG of 1200×630 pixels, in up to hundreds of milliseconds; a text with a character of no font is left out. */
export async function renderOgImage(content: OgImageContent): Promise<Uint8Array> {
  const { heading, colour, brand } = content;
  const svg =
    (await toSvg(content)) ??
    (content.description === undefined ? undefined : await toSvg({ ...content, description: undefined })) ??
    (await toSvg({ name: heading, heading: '', colour, brand })) ??
    // The fonts need not have the operator's texts.
    (brand && (await toSvg({ name: '', heading: '', colour, brand: { ...brand, name: '' } })));
  if (svg === undefined) throw new Error(`The fonts of Open Graph images cannot show "${content.heading}".`);
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
}

/** Lays out an image; undefined where a character is in no font. */
async function toSvg({
  name,
  heading,
  description = '',
  terms = [],
  colour,
  mark,
  brand = { name: BRAND, logo: undefined },
}: OgImageContent): Promise<string | undefined> {
  const [title, excerpt] = [name.normalize(), description.normalize()];
  let isComplete = !SEPARATE_MARK.test(title + excerpt);
  const svg = await satori(
    box(
      {
        ...OG_IMAGE_SIZE,
        boxSizing: 'border-box',
        flexDirection: 'column',
        padding: '64px 80px',
        borderLeft: `24px solid ${colour}`,
        background: '#f7f9fa',
        color: '#131a23',
        fontFamily,
        fontWeight: 700,
      },
      [
        box({ height: 40, fontSize: 32, color: colour }, heading),
        box({ flexGrow: 1, alignItems: 'center' }, [
          ...(mark ? [drawMark(mark)] : []),
          box({ flex: 1, flexDirection: 'column' }, [
            drawText(title, {
              fontSize: 68,
              color: heading === '' ? colour : undefined,
              lineHeight: 1.2,
              lineClamp: excerpt === '' ? MAX_NAME_LINES : MAX_NAME_LINES - 1,
            }),
            ...(excerpt === '' ? [] : [drawText(excerpt, DESCRIPTION_STYLE)]),
          ]),
        ]),
        box({ alignItems: 'center', fontSize: 32 }, [
          image(brand.logo ?? LOGO, { width: 52, height: 52, marginRight: 20 }),
          box({ flexGrow: 1 }, brand.name),
          ...terms.map((term) => box(TERM_STYLE, term)),
        ]),
      ],
    ),
    {
      ...OG_IMAGE_SIZE,
      fonts,
      // Satori calls this for text that none of the fonts can show.
      loadAdditionalAsset: async () => {
        isComplete = false;
        return [];
      },
    },
  );
  return isComplete ? svg : undefined;
}

function drawText(text: string, style: Record<string, unknown>): Element {
  return box({ display: 'block', wordBreak: 'break-word', ...style }, text);
}

function drawMark({ initials, pattern }: AgentMark): Element {
  const areas = [...pattern, MARK_SHADE].map(({ colour, path }) => `<path fill="${colour}" d="${path}"/>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${MARK_VIEW_BOX}">${areas.join('')}</svg>`;
  const style = {
    flexShrink: 0,
    alignItems: 'center',
    justifyContent: 'center',
    width: MARK_SIZE,
    height: MARK_SIZE,
    marginRight: MARK_GAP,
    borderRadius: MARK_SIZE * 0.24,
    backgroundImage: `url(${toDataUrl(svg)})`,
    backgroundSize: `${MARK_SIZE}px ${MARK_SIZE}px`,
    color: '#fff',
    fontSize: MARK_SIZE * 0.37,
  };
  return box(style, initials);
}

function box(style: Record<string, unknown>, children: string | Element[]): Element {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children }, key: null };
}

function image(src: string, style: Record<string, unknown>): Element {
  return { type: 'img', props: { src, style }, key: null };
}

function toDataUrl(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

function toFont(name: string, file: string, weight: 400 | 700): Font {
  return { name, data: readFileSync(new URL(`./fonts/${file}`, import.meta.url)), weight, style: 'normal' };
}
