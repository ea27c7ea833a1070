import { BRAND_COLOUR } from '@agent-registry/contracts';
import { colorsTuple, createTheme, type CSSVariablesResolver } from '@mantine/core';

/** The look of the console: Mantine's, in the colour of the product. */
export const theme = createTheme({
  colors: { brand: colorsTuple(BRAND_COLOUR) },
  primaryColor: 'brand',
  autoContrast: true,
  cursorType: 'pointer',
  respectReducedMotion: true,
  defaultRadius: 'md',
});

/** The colours of a scheme that Mantine has with less contrast, or a drawing cannot read from CSS. */
export const schemeColours = {
  light: { muted: '#55616e', accent: '#0f6a59', error: '#b3261e', line: '#dee2e6' },
  dark: { muted: '#a9b4bf', accent: '#4fd0b3', error: '#ff9a92', line: '#424242' },
} as const;

/** Replaces Mantine's colours of texts. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: toVariables(schemeColours.light),
  dark: toVariables(schemeColours.dark),
});

function toVariables({ muted, accent, error }: (typeof schemeColours)['light' | 'dark']): Record<string, string> {
  return {
    '--mantine-color-dimmed': muted,
    '--mantine-color-placeholder': muted,
    '--mantine-color-anchor': accent,
    '--mantine-color-error': error,
  };
}
