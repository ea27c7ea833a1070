import { formatHex, interpolate, wcagContrast } from 'culori';

/** The panels in light and dark, on which texts stand. */
const WHITE = '#ffffff';
const DARK_PANEL = '#12171e';
/** More than the 4.5 of WCAG, since some texts stand on a tinted background. */
const TEXT_CONTRAST = 6;
/** How far the marks of agents turn the hue of their category to either side, in degrees. */
const MAX_TURN = 28;

/** Mixes two colours as `color-mix(in srgb, …)` does; `share` is that of the second one, from 0 to 1. */
function mix(one: string, other: string, share: number): string {
  return formatHex(interpolate([one, other])(share));
}

/** A colour of a hue in degrees, and a saturation and lightness in percent. */
function fromHsl(hue: number, saturation: number, lightness: number): string {
  return formatHex({ mode: 'hsl', h: hue, s: saturation / 100, l: lightness / 100 });
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
export function toMarkLightness(hue: number): number {
  const hues = [-MAX_TURN, -MAX_TURN / 2, 0, MAX_TURN / 2, MAX_TURN].map((turn) => (hue + turn + 360) % 360);
  const isReadable = (lightness: number) =>
    hues.every((turned) => wcagContrast(fromHsl(turned, 68, lightness), WHITE) >= 4.6);
  return Array.from({ length: 50 }, (_, lightness) => lightness).findLast(isReadable) ?? 20;
}
