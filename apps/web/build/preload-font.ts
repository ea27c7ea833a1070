import type { Plugin } from 'vite';

/** Preloads the font of Latin text, so that the first view mostly has it from the start. */
export const preloadFont: Plugin = {
  name: 'preload-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const href = Object.keys(bundle).find((fileName) => /inter-latin-wght-normal-[\w-]+\.woff2$/.test(fileName));
      if (href === undefined) throw new Error('The build has no font for Latin text.');
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${href}` };
      return [{ tag: 'link', attrs, injectTo: 'head-prepend' }];
    },
  },
};
