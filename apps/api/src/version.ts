import manifest from '../package.json' with { type: 'json' };

/** The version of the registry. */
export const version: string = manifest.version;
