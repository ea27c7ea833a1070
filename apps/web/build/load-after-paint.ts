import type { Plugin } from 'vite';

/**
 * Has the page, which is complete without scripts, painted before they take it over. Where they do not arrive they are
 * asked for again, after a second and then after ever longer. They are fetched before they are imported, since browsers
 * from before the autumn of 2026 remember for as long as the page is open that an import has failed.
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

const toLoader = (entry: string) => `<script>
      const framed = new Promise((resolve) => addEventListener('DOMContentLoaded', () => requestAnimationFrame(resolve)));
      // Where the browser tells of its paints, it does so when they are seen.
      const painted = new Promise((resolve) => {
        new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
        addEventListener('load', () => setTimeout(resolve, 500));
      });
      const fetchScript = () => fetch('${entry}').then((answer) => (answer.ok ? answer.blob() : Promise.reject(answer)));
      const takeOver = (wait) =>
        fetchScript().then(() => import('${entry}'), () => setTimeout(takeOver, wait, Math.min(2 * wait, 30_000)));
      Promise.all([framed, painted]).then(() => takeOver(1_000));
    </script>`;
