import { BRAND_COLOUR, type SiteConfig } from '@agent-registry/contracts';
import {
  Button,
  Container,
  createTheme,
  Input,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import overrides from './styles/mantine-overrides.module.css';

// Shades 6 and 8 are the primary ones of light and dark, 7 and 9 those under the pointer: Mantine's defaults, so that the
// page carries no variables that differ from them.
const brand: MantineColorsTuple = [
  '#ecfdf8',
  '#d2f4ea',
  '#a4e8d6',
  '#70d9bf',
  '#34c3a3',
  '#159079',
  BRAND_COLOUR,
  '#0c5f50',
  BRAND_COLOUR,
  '#0c5f50',
];

// Shade 7 is the page, 6 the panels, 5 the lines, 0 the text.
const dark: MantineColorsTuple = [
  '#eef2f6',
  '#c8d1db',
  '#9aa7b5',
  '#6b7885',
  '#343e4a',
  '#232b35',
  '#12171e',
  '#0b0f14',
  '#080b0f',
  '#05070a',
];

const font = "'Inter Variable', 'Inter Fallback', system-ui, sans-serif";

/** Heights of controls in styles/tokens.css: larger where the pointer is a finger. */
const controlHeights: Record<string, string> = { sm: 'var(--control-height)', md: 'var(--control-height-large)' };

const theme = createTheme({
  colors: { brand, dark },
  primaryColor: 'brand',
  autoContrast: true,
  fontFamily: font,
  fontSizes: { xs: '0.78125rem', sm: '0.875rem', md: '1rem', lg: '1.375rem', xl: '1.75rem' },
  fontWeights: { regular: '400', medium: '550', bold: '650' },
  headings: {
    fontFamily: font,
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'clamp(1.75rem, 1.1rem + 2.6vw, 2.75rem)', lineHeight: '1.12' },
      h2: { fontSize: '1.375rem', lineHeight: '1.3' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
      h4: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  // Control, field, card, pill.
  radius: { sm: '0.5rem', md: '0.625rem', lg: '0.875rem', xl: '62rem' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // styles/document.css draws the focus ring.
  focusRing: 'never',
  components: {
    Button: Button.extend({
      classNames: { root: overrides.button, label: overrides.buttonLabel },
      // An empty value leaves it to the stylesheet, which says it once for all buttons.
      vars: (_theme, { size = 'sm', variant }) => ({
        root: {
          ...(size in controlHeights && { '--button-height': '', '--button-padding-x': '' }),
          ...(variant === 'default' && {
            '--button-bg': '',
            '--button-hover': '',
            '--button-color': '',
            '--button-bd': '',
          }),
        },
      }),
    }),
    // Without `extend`, which would load it on every page.
    Checkbox: { classNames: { input: overrides.checkboxInput } },
    Container: Container.extend({
      vars: (_theme, { size }) => ({ root: size === 'lg' ? { '--container-size': 'var(--container-width)' } : {} }),
    }),
    Input: Input.extend({
      classNames: { wrapper: overrides.inputWrapper },
      vars: (_theme, { size = 'sm' }) => {
        const height = controlHeights[size];
        const wrapper = { '--input-height': height, '--input-fz': 'var(--field-font-size)' };
        return { wrapper: height === undefined ? {} : wrapper };
      },
    }),
  },
});

export function toTheme({ palette }: SiteConfig) {
  const shades = palette?.shades as MantineColorsTuple | undefined;
  return shades ? { ...theme, colors: { brand: shades, dark } } : theme;
}

// The variables in styles/tokens.css follow `color-scheme`, which follows the system where scripts do not run.
const schemeColours = {
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-body': 'var(--page-background)',
  '--mantine-color-dimmed': 'var(--muted-text)',
  '--mantine-color-placeholder': 'var(--muted-text)',
  '--mantine-color-anchor': 'var(--link-text)',
  '--mantine-color-error': 'var(--error-text)',
  '--mantine-color-default': 'var(--panel-background)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-hover': 'var(--hover-background)',
  '--mantine-color-default-border': 'var(--control-border)',
};

/** Replaces Mantine's colours of text, surfaces and borders by the tokens in styles/tokens.css. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeColours,
  dark: schemeColours,
});
