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

/**
 * Replaces the entry's script element with a loader that runs after the first paint: a page is complete without scripts.
 * If the request fails, it is retried with exponential backoff.
 */
export const loadAfterPaint: Plugin = {
  name: 'load-after-paint',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replace(/<script type="module" crossorigin src="([^"]+)"><\/script>/, (_, entry: string) => toLoader(entry)),
  },
};

// Some browsers cache a failed import for the life of the page, so the entry is fetched before it is imported.
const toLoader = (entry: string) => `<script>
      function loadEntry(retryDelay) {
        fetch('${entry}').then((response) => (response.ok ? response.blob() : Promise.reject())).then(
          () => import('${entry}'),
          () => setTimeout(loadEntry, retryDelay, Math.min(2 * retryDelay, 30_000)),
        );
      }
      addEventListener('DOMContentLoaded', () => {
        // Some browsers do not tell the paint.
        if (!self.PerformanceObserver?.supportedEntryTypes?.includes('paint')) return loadEntry(1_000);
        new PerformanceObserver((_, observer) => {
          observer.disconnect();
          loadEntry(1_000);
        }).observe({ type: 'paint', buffered: true });
      });
    </script>`;

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
