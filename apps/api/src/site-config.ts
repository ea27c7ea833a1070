import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import {
  categoryIcons,
  defaultSiteConfig,
  findTextFault,
  isEmailAddress,
  MAX_NAMED_FIELDS,
  nameUnknownField,
  type FooterLink,
  type SiteConfig,
} from '@agent-registry/contracts';
import { wcagContrast, formatHex, interpolate } from 'culori';
import { z } from 'zod';
import { ConfigError } from './config.ts';

/** The panels in light and dark, on which texts stand. */
const WHITE = '#ffffff';
const DARK_PANEL = '#12171e';
/** More than the 4.5 of WCAG, since some texts stand on a tinted background. */
const TEXT_CONTRAST = 6;
/** How far the marks of agents turn the hue of their category to either side, in degrees. */
const MAX_TURN = 28;

export type Logo = { path: string; type: string; bytes: Buffer };

const MAX_LOGO_SIZE = 100_000;
const MIN_CONTRAST = 4.5;
// Open Graph images need the size of a logo.
const SVG = /<svg\b[^>]*\bviewBox=(["'])\s*-?[\d.]+[\s,]+-?[\d.]+[\s,]+[\d.]+[\s,]+[\d.]+\s*\1[^>]*>/;
const logoTypes: Record<string, string> = { '.svg': 'image/svg+xml', '.png': 'image/png' };

function line(max: number) {
  const bounds = { max, isLine: true };
  return z
    .string(`must be one line of 1 to ${max} characters`)
    .trim()
    .refine((text) => findTextFault(text, bounds) === undefined, {
      error: ({ input }) => findTextFault(input as string, bounds),
    });
}

const LINK = 'must be an http or https address, or a path that starts with one slash';
const linkSchema = z.string(LINK).refine(isLink, LINK);
const EMAIL = 'must be an address such as name@example.com';
const emailSchema = z.string(EMAIL).refine(isEmailAddress, EMAIL);
const COLOUR = 'must be a colour such as #0f7663';
const HUE = 'must be a whole number from 0 to 359';
const ID = 'must be 1 to 40 lower-case letters, digits and hyphens, and start with a letter';
const HOST = 'must be a host name in lower case, such as gallery.example';
const HOSTS = 'must be a list of at most 100 host names';
const CATEGORIES = 'must be a list of 1 to 24 categories';

const fileSchema = strict({
  name: line(60).default(defaultSiteConfig.name),
  tagline: line(120).optional(),
  description: line(300).optional(),
  logo: line(200).optional(),
  colour: z
    .string(COLOUR)
    .regex(/^#[\da-f]{6}$/i, { error: COLOUR, abort: true })
    .toLowerCase()
    .refine((colour) => wcagContrast(colour, '#ffffff') >= MIN_CONTRAST, {
      error: ({ input }) =>
        `has a contrast of ${wcagContrast(input as string, '#ffffff').toFixed(1)} to white and needs ${MIN_CONTRAST}: choose a darker colour`,
    })
    .optional(),
  footerLinks: z
    .array(strict({ label: line(40), url: linkSchema }), 'must be a list of links')
    .max(8, 'must have at most 8 links')
    .default([]),
  copyright: line(200).optional(),
  contact: emailSchema.optional(),
  report: emailSchema.optional(),
  imprint: linkSchema.optional(),
  privacy: linkSchema.optional(),
  sharedHosts: z
    .array(z.string(HOST).regex(/^(?:[a-z\d-]+\.)+[a-z\d-]+$/, HOST), HOSTS)
    .max(100, HOSTS)
    .default([]),
  categories: z
    .array(
      strict({
        id: z.string(ID).regex(/^[a-z][a-z\d-]{0,39}$/, ID),
        name: line(60),
        icon: z.enum(categoryIcons, `must be one of ${categoryIcons.join(', ')}`),
        hue: z.int(HUE).min(0, HUE).max(359, HUE),
        description: line(200),
      }),
      CATEGORIES,
    )
    .min(1, CATEGORIES)
    .max(24, CATEGORIES)
    .refine((categories) => new Set(categories.map(({ id }) => id)).size === categories.length, {
      error: 'must have categories of different ids',
    })
    .optional(),
});

/** The branding of the product without a file. @throws {ConfigError} with a sentence that names the invalid key */
export function readSiteConfig(path: string | undefined): { config: SiteConfig; logo?: Logo } {
  if (path === undefined) return { config: defaultSiteConfig };
  const { data, error } = fileSchema.safeParse(parseFile(path));
  if (data === undefined) {
    const [issue] = error.issues;
    throw new ConfigError(`SITE_CONFIG: ${issue?.path.join('.') || path} ${issue?.message}.`);
  }
  const { tagline, description, colour, categories, copyright } = data;
  const logo = data.logo === undefined ? undefined : readLogo(resolve(dirname(path), data.logo));
  const config: SiteConfig = {
    ...defaultSiteConfig,
    ...(tagline !== undefined && { tagline, summary: tagline, subject: tagline, lead: null, about: tagline }),
    ...(description !== undefined && { lead: description, summary: description, about: description }),
    ...(colour !== undefined && { colour, palette: { shades: toShades(colour), link: toLinkColours(colour) } }),
    ...(categories && {
      categories: categories.map((category) => {
        const { light, dark } = toTextColours(category.hue);
        return {
          ...category,
          lightness: toMarkLightness(category.hue),
          colour: `light-dark(${light}, ${dark})`,
          pictureColour: light,
        };
      }),
    }),
    isCustom: true,
    name: data.name,
    copyright: copyright ?? null,
    logo: logo?.path ?? null,
    sharedHosts: data.sharedHosts,
    footerLinks: [...data.footerLinks, ...toLegalLinks(data)],
  };
  return { config, ...(logo && { logo }) };
}

function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has an unknown key: ${issue.keys.slice(0, MAX_NAMED_FIELDS).map(nameUnknownField).join(', ')}`
        : 'must be a JSON object',
  });
}

function parseFile(path: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (cause) {
    // The message can repeat a part of the file.
    const reason = (cause as Error).message.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
    throw new ConfigError(`SITE_CONFIG: ${path} cannot be read as JSON: ${reason}.`, { cause });
  }
}

function readLogo(path: string): Logo {
  const extension = extname(path).toLowerCase();
  const type = logoTypes[extension];
  if (type === undefined) throw new ConfigError('SITE_CONFIG: logo must be an SVG or PNG file.');
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new ConfigError(`SITE_CONFIG: logo cannot be read: ${(cause as Error).message}.`, { cause });
  }
  if (bytes.length > MAX_LOGO_SIZE) {
    throw new ConfigError(`SITE_CONFIG: logo has ${bytes.length} bytes and can have at most ${MAX_LOGO_SIZE}.`);
  }
  const isImage = extension === '.svg' ? SVG.test(bytes.toString()) : isPng(bytes);
  if (!isImage) throw new ConfigError('SITE_CONFIG: logo must be an SVG with a viewBox, or a PNG.');
  return { path: `/logo-${hash('sha256', bytes, 'hex').slice(0, 16)}${extension}`, type, bytes };
}

/** Whether bytes begin as those of a PNG do, up to its size. */
function isPng(bytes: Buffer): boolean {
  return bytes.length >= 24 && bytes.subarray(0, 4).toString('latin1') === '\u0089PNG';
}

function toLegalLinks({ contact, report, imprint, privacy }: z.infer<typeof fileSchema>): FooterLink[] {
  const links = [
    ['Contact', contact && `mailto:${contact}`],
    ['Report an agent', report && `mailto:${report}`],
    ['Imprint', imprint],
    ['Privacy', privacy],
  ] as const;
  return links.flatMap(([label, url]) => (url ? [{ label, url }] : []));
}

function isLink(text: string): boolean {
  if (/[\s\p{Cc}\\]/u.test(text)) return false;
  return /^\/(?!\/)/.test(text) || (/^https?:\/\//.test(text) && URL.canParse(text));
}

/** Mixes two colours as `color-mix(in srgb, …)` does; `share` is that of the second one, from 0 to 1. */
function mix(one: string, other: string, share: number): string {
  return formatHex(interpolate([one, other])(share));
}

/** A colour of a hue in degrees, and a saturation and lightness in percent. */
function fromHsl(hue: number, saturation: number, lightness: number): string {
  return formatHex({ mode: 'hsl', h: hue, s: saturation / 100, l: lightness / 100 });
}

/** Mantine's ten shades of a colour: tints, the colour as the primary shade of light and dark, and a darker one below the pointer. */
function toShades(colour: string): string[] {
  const tints = [0.92, 0.82, 0.66, 0.48, 0.3, 0.12].map((share) => mix(colour, WHITE, share));
  const darker = mix(colour, '#000000', 0.2);
  return [...tints, colour, darker, colour, darker];
}

/** The colours of links: the colour itself in light, its least tint with a sufficient contrast in dark. */
function toLinkColours(colour: string): { light: string; dark: string } {
  const tints = Array.from({ length: 20 }, (_, step) => mix(colour, WHITE, step / 20));
  return { light: colour, dark: tints.find((tint) => wcagContrast(tint, DARK_PANEL) >= TEXT_CONTRAST) ?? WHITE };
}

/** The colours of a category's texts in light and dark, with a sufficient contrast on panels. */
export function toTextColours(hue: number): { light: string; dark: string } {
  const lightnesses = Array.from({ length: 100 }, (_, lightness) => lightness);
  const isReadable = (panel: string) => (lightness: number) =>
    wcagContrast(fromHsl(hue, 60, lightness), panel) >= TEXT_CONTRAST;
  const light = lightnesses.findLast(isReadable(WHITE)) ?? 0;
  const dark = lightnesses.find(isReadable(DARK_PANEL)) ?? 100;
  return { light: fromHsl(hue, 60, light), dark: fromHsl(hue, 60, dark) };
}

/** The greatest lightness of a mark, in percent, on which white text has a contrast of 4.5 to 1. */
function toMarkLightness(hue: number): number {
  const hues = [-MAX_TURN, -MAX_TURN / 2, 0, MAX_TURN / 2, MAX_TURN].map((turn) => (hue + turn + 360) % 360);
  const isReadable = (lightness: number) =>
    hues.every((turned) => wcagContrast(fromHsl(turned, 68, lightness), WHITE) >= 4.6);
  return Array.from({ length: 50 }, (_, lightness) => lightness).findLast(isReadable) ?? 20;
}
