/** The name of the product. */
export const BRAND = 'Agent Registry';

/** The brand colour, as CSS and SVG write it. */
export const BRAND_COLOUR = '#0f7663';

/** The size of an Open Graph image, in pixels. */
export const OG_IMAGE_SIZE = { width: 1_200, height: 630 };
