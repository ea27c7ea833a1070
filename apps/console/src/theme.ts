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

/** Colours of texts with more contrast than Mantine's. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#55616e',
    '--mantine-color-placeholder': '#55616e',
    '--mantine-color-anchor': '#0f6a59',
    '--mantine-color-error': '#b3261e',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b4bf',
    '--mantine-color-placeholder': '#a9b4bf',
    '--mantine-color-anchor': '#4fd0b3',
    '--mantine-color-error': '#ff9a92',
  },
});
