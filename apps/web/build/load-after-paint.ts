import type { Plugin } from 'vite';

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
