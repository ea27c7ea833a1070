import type { Plugin } from 'vite';

/**
 * Makes the errors that React throws to itself without the place where they are made. React makes them while its module
 * runs, by functions that are most of the bundle. A browser that is watched, as by its developer tools or by Lighthouse,
 * finds out where an error was made by reading these functions once more, which takes as long as all else that the module
 * does.
 */
export const makeErrorsWithoutPlace: Plugin = {
  name: 'make-errors-without-place',
  apply: 'build',
  transform: {
    filter: { id: /\/react-dom-client\.production\.js$/ },
    handler: (code) =>
      code.replaceAll(
        /(?<==\s*)Error\((formatProdErrorMessage\(\d+\))\)/g,
        'Object.create(Error.prototype, { message: { value: $1 } })',
      ),
  },
};
