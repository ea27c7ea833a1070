/** The colour of the product. */
export const BRAND_COLOUR = '#0f7663';

/** The size of the pictures that stand for pages elsewhere, in pixels. */
export const PICTURE_SIZE = { width: 1_200, height: 630 };
