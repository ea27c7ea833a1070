/** The packages of Node name their system as a text, which pnpm ignores; it expects a list. */
function readPackage(manifest) {
  for (const key of ['os', 'cpu']) if (typeof manifest[key] === 'string') manifest[key] = [manifest[key]];
  return manifest;
}

export const hooks = { readPackage };
