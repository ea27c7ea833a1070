import { BRAND_COLOUR, type SiteConfig } from '@agent-registry/contracts';
import { Button, Container, createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import overrides from './styles/mantine-overrides.module.css';

// Shades 6 and 8 are the primary ones of light and dark, 7 and 9 those under the pointer. They and the name of the palette
// are Mantine's defaults, so that the page carries no variables that differ from them.
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
  '#eef2f5',
  '#c3ccd4',
  '#93a0ac',
  '#6b7885',
  '#36424c',
  '#212a31',
  '#12181d',
  '#0b0f13',
  '#080b0f',
  '#05070a',
];

const font = "'Inter Variable', 'Inter Fallback', system-ui, sans-serif";

/** Heights of controls in styles/tokens.css: larger where the pointer is a finger. */
const controlHeights: Record<string, string> = { sm: 'var(--control-height)', md: 'var(--control-height-large)' };

const theme = createTheme({
  colors: { blue: brand, dark },
  autoContrast: true,
  fontFamily: font,
  // These scales, with --display-size and --title-size in styles/tokens.css, are the only sizes, weights, spaces and radii
  // of the styles: scripts/tokens.ts checks that.
  fontSizes: { xs: '0.8125rem', sm: '0.90625rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  fontWeights: { regular: '400', medium: '550', bold: '650' },
  headings: {
    fontFamily: font,
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'var(--title-size)', fontWeight: '680', lineHeight: '1.08' },
      h2: { fontSize: '1.875rem', lineHeight: '1.2' },
      h3: { fontSize: '1.25rem', lineHeight: '1.3' },
      h4: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h5: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  spacing: { xxs: '.25rem', xs: '.5rem', sm: '.875rem', md: '1.25rem', lg: '1.5rem', xl: '2.5rem', xxl: '4rem' },
  // Chip, control, search, code, mark.
  radius: { xs: '0.375rem', sm: '0.5625rem', md: '0.875rem', lg: '1rem', xl: '27%' },
  defaultRadius: 'sm',
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
    Checkbox: { defaultProps: { radius: 'xs' }, classNames: { input: overrides.checkboxInput } },
    Skeleton: { classNames: { root: overrides.skeleton } },
    CloseButton: { classNames: { root: overrides.closeButton } },
    Container: Container.extend({
      classNames: { root: overrides.container },
      vars: (_theme, { size }) => ({ root: size === 'lg' ? { '--container-size': 'var(--container-width)' } : {} }),
    }),
    Input: {
      classNames: { wrapper: overrides.inputWrapper },
      vars: (_theme: unknown, { size = 'sm' }: { size?: string }) => {
        const height = controlHeights[size];
        const wrapper = { '--input-height': height, '--input-fz': 'var(--field-font-size)' };
        return { wrapper: height === undefined ? {} : wrapper };
      },
    },
  },
});

export function toTheme({ palette }: SiteConfig) {
  const shades = palette?.shades as MantineColorsTuple | undefined;
  return shades ? { ...theme, colors: { blue: shades, dark } } : theme;
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
