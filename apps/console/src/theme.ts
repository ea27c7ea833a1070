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

/** Replaces the colours of texts that Mantine has with less contrast. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: toVariables({ muted: '#55616e', accent: '#0f6a59', error: '#b3261e' }),
  dark: toVariables({ muted: '#a9b4bf', accent: '#4fd0b3', error: '#ff9a92' }),
});

function toVariables({ muted, accent, error }: Record<'muted' | 'accent' | 'error', string>): Record<string, string> {
  return {
    '--mantine-color-dimmed': muted,
    '--mantine-color-placeholder': muted,
    '--mantine-color-anchor': accent,
    '--mantine-color-error': error,
  };
}
