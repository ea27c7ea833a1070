import type { Plugin } from 'vite';

/**
 * Leaves React Router's components that we do not use out of a bundle. They stay there else, since they are made by a
 * call and are then given a name for developers: neither is known to have no effect. This says so of the call and takes
 * the names away.
 */
export const leaveOutUnusedOfRouter: Plugin = {
  name: 'leave-out-unused-of-router',
  apply: 'build',
  transform: {
    filter: { id: /\/react-router\/dist\/.*\.mjs$/ },
    handler: (code) =>
      code
        .replaceAll(/^\w+\.displayName = .*;$/gm, '')
        .replaceAll(/ = (React\d*\.forwardRef\()/g, ' = /* @__PURE__ */ $1'),
  },
};
