import type { Plugin } from 'vite';

/**
 * Inlines the stylesheet into index.html, so that the first paint waits for no second request. Its file comes at the end:
 * rendered pages keep only the rules that they use (src/ssr/used-styles.ts).
 */
export const inlineStyles: Plugin = {
  name: 'inline-styles',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const [link = '', fileName = ''] = /<link rel="stylesheet" crossorigin href="\/([^"]+)">/.exec(html) ?? [];
      const file = bundle[fileName];
      if (file?.type !== 'asset') throw new Error('The build has no stylesheet.');
      const styles = file.source.toString();
      // Mantine's variables are in each page, before those of the theme: later ones would replace them.
      file.source = styles.replaceAll(/:root[^{}]*\{[^{}]*--mantine-[^{}]*\}/g, '');
      return html.replace(link, () => `<style>${styles}</style>`).replace('<!--state-->', () => `<!--state-->${link}`);
    },
  },
};
