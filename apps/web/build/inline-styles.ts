import type { Plugin } from 'vite';

/** Puts the styles into the page, which is painted once its own bytes are there and waits for no other file. */
export const inlineStyles: Plugin = {
  name: 'inline-styles',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) =>
      html.replace(/<link rel="stylesheet" crossorigin href="\/([^"]+)">/, (link, fileName: string) => {
        const file = bundle[fileName];
        if (file?.type !== 'asset') return link;
        delete bundle[fileName];
        return `<style>${file.source.toString()}</style>`;
      }),
  },
};
