import mantine from 'postcss-preset-mantine';

// light-dark() stays as CSS has it: it follows the system where no script sets a colour scheme.
export default { plugins: [mantine({ features: { lightDarkFunction: false } })] };
