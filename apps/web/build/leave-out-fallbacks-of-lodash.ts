import type { Plugin } from 'vite';

/**
 * Leaves out what lodash does for browsers of 2013. To find out whether it is one of them it has five errors thrown while its
 * module runs, and a browser that is watched finds the place of each, as `makeErrorsWithoutPlace` says.
 */
export const leaveOutFallbacksOfLodash: Plugin = {
  name: 'leave-out-fallbacks-of-lodash',
  apply: 'build',
  transform: {
    filter: { id: /\/lodash-es\/_getTag\.js$/ },
    handler: () => `export { default } from './_baseGetTag.js';`,
  },
};
