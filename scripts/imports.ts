// Finds imports against the direction in ARCHITECTURE.md, and in circles. Imports of types count, too.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The layers of packages, each of which may import those before it. A file is in the last layer that matches its path. */
const layers: Record<string, RegExp[]> = {
  'apps/api/src/': [
    /^(?:config|database-error|etag|jobs|registry-error|site-config|worker-pool|write-file)\.ts$/,
    /^search\//,
    /^db\//,
    /^rate-limit\//,
    /^(?:prefill|website-check|website-files)\//,
    /^changes\//,
    /^agents\//,
    /^(?:actions|connection-checks|servers|stats|suggestions|webhook)\/|^publisher\/publications\.ts$/,
    /^operator\//,
    /^sync\//,
    /^publisher\/(?!publications\.ts)/,
    /^stores\.ts$/,
    /^(?:http-error|openapi-meta|trpc)\.ts$|\/get-agent\.ts$/,
    /router\.ts$/,
    /^observability\//,
    /^http\/plugins\//,
    /^http\/cache\//,
    /^http\/api\//,
    /^http\/(?:ard|machine|mcp|mcp-registry)\//,
    /^http\/publisher\//,
    /^http\/site\//,
    /^(?:app|graceful-shutdown|main|start|start-jobs|start-messages)\.ts$/,
    /^console\//,
    /^cli\//,
  ],
  'apps/web/src/': [
    /^lib\//,
    /^api\//,
    /^navigation\//,
    /^components\//,
    /^features\//,
    /^pages\//,
    /^(?:App|main|routes|theme)\.tsx?$/,
    /^ssr\//,
  ],
};

const imports = new Map(
  globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root, exclude: ['**/testing/**', '**/*.{test,soak}.*'] }).map(
    (file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const found = text.matchAll(/(?:^(?:im|ex)port [^;]*?from |import\()'(\.[^']+)'/gm);
      return [file, Array.from(found, ([, path = '']) => normalize(join(dirname(file), path)))];
    },
  ),
);

/** The imports of a later layer, and of one feature by another. */
export const upwardArrows = [...imports].flatMap(([file, imported]) =>
  imported.filter((other) => isUpwards(file, other)).map((other) => `${file} imports ${other}`),
);

/** The files that import themselves by way of others. */
export const circular = [...imports.keys()].filter((file) => reach(file).has(file));

function isUpwards(file: string, other: string): boolean {
  const features = [file, other].map((path) => /^apps\/web\/src\/features\/([^/]+)/.exec(path)?.[1]);
  if (features[0] && features[1] && features[0] !== features[1]) return true;
  const [home, ordered] = Object.entries(layers).find(([folder]) => file.startsWith(folder)) ?? [];
  if (!home || !ordered || !other.startsWith(home)) return false;
  const [own, its] = [file, other].map((path) => ordered.findLastIndex((layer) => layer.test(path.slice(home.length))));
  if (own === -1) throw new Error(`${file} is in no layer of scripts/imports.ts.`);
  return (its as number) > (own as number);
}

function reach(file: string): Set<string> {
  const found = new Set<string>();
  const rest = [...(imports.get(file) ?? [])];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    rest.push(...(imports.get(next) ?? []));
  }
  return found;
}
