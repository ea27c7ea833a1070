import mantine from 'postcss-preset-mantine';

// The fonts come as a package that has the text change its face whenever they arrive, and with it the lines, and what
// stands below them. Optional ones are used where they are there in time, as on every page after the first.
const optionalFonts = {
  postcssPlugin: 'optional-fonts',
  Declaration: {
    'font-display': (declaration) => {
      if (declaration.value !== 'optional') declaration.value = 'optional';
    },
  },
};

export default { plugins: [mantine(), optionalFonts] };
