import type { Plugin } from 'vite';

/** Keeps the styles of CSS modules whose class names nothing in the entry uses: rendered pages need them. */
export const keepStyles: Plugin = {
  name: 'keep-styles',
  enforce: 'post',
  transform: { filter: { id: /\.module\.css$/ }, handler: () => ({ moduleSideEffects: 'no-treeshake' }) },
};
