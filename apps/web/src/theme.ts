import { BRAND_COLOUR } from '@agent-registry/contracts';
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const brand: MantineColorsTuple = [
  '#ecfdf8',
  '#d2f4ea',
  '#a4e8d6',
  '#70d9bf',
  '#45c9aa',
  '#27ae90',
  '#159079',
  BRAND_COLOUR,
  '#0c5f50',
  '#094a3f',
];

const purple: MantineColorsTuple = [
  '#f7f1ff',
  '#ebdffb',
  '#d4bcf5',
  '#bc97ef',
  '#a777ea',
  '#9a61e6',
  '#8a4ade',
  '#763bc4',
  '#6832b0',
  '#57289b',
];

// A cool grey instead of Mantine's neutral one; shade 7 is the page, 6 the panels.
const dark: MantineColorsTuple = [
  '#d3dae2',
  '#b6c0cc',
  '#93a0b0',
  '#6b7889',
  '#4a5667',
  '#364150',
  '#1d2530',
  '#131a23',
  '#0d131a',
  '#080c11',
];

const font = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/** The colours and fonts of the brand. */
export const theme = createTheme({
  colors: { brand, purple, dark },
  primaryColor: 'brand',
  primaryShade: 7,
  autoContrast: true,
  fontFamily: font,
  headings: { fontFamily: font, fontWeight: '700', textWrap: 'balance' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
});

/** Replaces Mantine's text colours that have too little contrast for WCAG AA. */
export const cssVariablesResolver: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--muted-text)',
    '--mantine-color-placeholder': 'var(--muted-text)',
    '--mantine-color-error': colors.red[9],
  },
  dark: {
    '--mantine-color-dimmed': 'var(--muted-text)',
    '--mantine-color-placeholder': 'var(--muted-text)',
    '--mantine-color-error': colors.red[4],
  },
});
