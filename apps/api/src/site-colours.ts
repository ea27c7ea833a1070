/** Red, green and blue from 0 to 255. */
type Rgb = [red: number, green: number, blue: number];

/** The panels in light and dark, on which texts stand. */
const WHITE = '#ffffff';
const DARK_PANEL = '#12171e';
/** More than the 4.5 of WCAG, since some texts stand on a tinted background. */
const TEXT_CONTRAST = 6;
/** How far the marks of agents turn the hue of their category to either side, in degrees. */
const MAX_TURN = 28;

/** The contrast of two colours by WCAG 2, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Mixes two colours as `color-mix(in srgb, …)` does; `share` is that of the second one, from 0 to 1. */
function mix(one: string, other: string, share: number): string {
  const [from, to] = [toRgb(one), toRgb(other)];
  return toHex(from.map((value, index) => value + ((to[index] ?? 0) - value) * share) as Rgb);
}

/** Mantine's ten shades of a colour: tints, the colour as the primary shade of light and dark, and a darker one below the pointer. */
export function toShades(colour: string): string[] {
  const tints = [0.92, 0.82, 0.66, 0.48, 0.3, 0.12].map((share) => mix(colour, WHITE, share));
  const darker = mix(colour, '#000000', 0.2);
  return [...tints, colour, darker, colour, darker];
}

/** The colours of links: the colour itself in light, its least tint with a sufficient contrast in dark. */
export function toLinkColours(colour: string): { light: string; dark: string } {
  const tints = Array.from({ length: 20 }, (_, step) => mix(colour, WHITE, step / 20));
  return { light: colour, dark: tints.find((tint) => contrastOf(tint, DARK_PANEL) >= TEXT_CONTRAST) ?? WHITE };
}

/** The colours of a category's texts in light and dark, with a sufficient contrast on panels. */
export function toTextColours(hue: number): { light: string; dark: string } {
  const lightnesses = Array.from({ length: 100 }, (_, lightness) => lightness);
  const isReadable = (panel: string) => (lightness: number) =>
    contrastOf(fromHsl(hue, 60, lightness), panel) >= TEXT_CONTRAST;
  const light = lightnesses.findLast(isReadable(WHITE)) ?? 0;
  const dark = lightnesses.find(isReadable(DARK_PANEL)) ?? 100;
  return { light: fromHsl(hue, 60, light), dark: fromHsl(hue, 60, dark) };
}

/** The greatest lightness of a mark, in percent, on which white text has a contrast of 4.5 to 1. */
export function toMarkLightness(hue: number): number {
  const hues = [-MAX_TURN, -MAX_TURN / 2, 0, MAX_TURN / 2, MAX_TURN].map((turn) => (hue + turn + 360) % 360);
  const isReadable = (lightness: number) =>
    hues.every((turned) => contrastOf(fromHsl(turned, 68, lightness), WHITE) >= 4.6);
  return Array.from({ length: 50 }, (_, lightness) => lightness).findLast(isReadable) ?? 20;
}

function toRgb(colour: string): Rgb {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16)) as Rgb;
}

function toHex(rgb: Rgb): string {
  return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

/** Hue in degrees, saturation and lightness in percent. */
function fromHsl(hue: number, saturation: number, lightness: number): string {
  const chroma = (saturation / 100) * Math.min(lightness / 100, 1 - lightness / 100);
  return toHex(
    [0, 8, 4].map((offset) => {
      const position = (offset + hue / 30) % 12;
      return 255 * (lightness / 100 - chroma * Math.max(-1, Math.min(position - 3, 9 - position, 1)));
    }) as Rgb,
  );
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = toRgb(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
