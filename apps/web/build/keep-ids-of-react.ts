import type { Plugin } from 'vite';

/**
 * Has Mantine's fields keep the ids that React gives them, on the server as in the browser. Mantine takes random ones as soon as
 * a field is there, for versions of React that had none, and draws all fields a second time for that, in one piece of work.
 */
export const keepIdsOfReact: Plugin = {
  name: 'keep-ids-of-react',
  apply: 'build',
  transform: {
    filter: { id: /\/@mantine\/hooks\/esm\/use-id\/use-id\.mjs$/ },
    handler: () => `
      import { useId as useOwnId } from 'react';
      export function useId(given) {
        const own = useOwnId();
        return typeof given === 'string' ? given : own;
      }`,
  },
};
