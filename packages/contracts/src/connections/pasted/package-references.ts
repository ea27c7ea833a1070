import type { PackageRegistry } from '../kinds.ts';

/** A package without and with its version, as people write it. */
type Reference = { identifier: string; version?: string | undefined };

/** Splits a package from its version. An image of Docker Hub gets its host. */
export function splitReference(registry: PackageRegistry, text: string): Reference {
  if (registry === 'mcpb') return { identifier: text };
  if (registry === 'oci') return { identifier: toImage(text) };
  const mark = text.includes('==') ? '==' : '@';
  const at = text.lastIndexOf(mark);
  return at > 0 ? { identifier: text.slice(0, at), version: text.slice(at + mark.length) } : { identifier: text };
}

/** An image with its host. */
export function toImage(text: string): string {
  const [first = '', second] = text.split('/', 2);
  if (text === '' || text.includes('://')) return text;
  if (second === undefined) return `docker.io/library/${text}`;
  return /[.:]/.test(first) || first === 'localhost' ? text : `docker.io/${text}`;
}

/** The pages of registries, each with the package and its version; and the hosts of images. */
const pages: readonly [PackageRegistry, RegExp][] = [
  ['npm', /^npmjs\.com\/package\/((?:@[^/]*\/)?[^/]+)(?:\/v\/([^/]+))?/],
  ['pypi', /^pypi\.org\/project\/([^/]+)(?:\/([^/]+))?/],
  ['nuget', /^nuget\.org\/packages\/([^/]+)(?:\/([^/]+))?/],
  [
    'oci',
    /^((?:ghcr\.io|docker\.io|quay\.io|mcr\.microsoft\.com|[a-z\d.-]+\.pkg\.dev|public\.ecr\.aws|registry\.gitlab\.com)\/.*[^/])/,
  ],
];

/** The package at an address of a registry's page, or of an image; undefined for other addresses. */
export function readPackagePage(address: string): ({ registry: PackageRegistry } & Reference) | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  const path = url.pathname.replaceAll('%40', '@').replaceAll(/%2f/gi, '/');
  const place = url.hostname.replace(/^www\./, '') + path;
  for (const [registry, page] of pages) {
    const [, identifier, version] = page.exec(place) ?? [];
    if (identifier !== undefined) return { registry, identifier, version };
  }
  const [, owned, official] = /^hub\.docker\.com\/(?:r\/([^/]+\/[^/]+)|_\/([^/]+))/.exec(place) ?? [];
  const ofHub = owned ?? (official && `library/${official}`);
  if (ofHub !== undefined) return { registry: 'oci', identifier: `docker.io/${ofHub}` };
  const [, owner, name] = /^github\.com\/([^/]+)\/[^/]+\/pkgs\/container\/([^/]+)/.exec(place.toLowerCase()) ?? [];
  const tag = url.searchParams.get('tag');
  const image = `ghcr.io/${owner}/${name}${tag === null ? '' : `:${tag}`}`;
  return name === undefined ? undefined : { registry: 'oci', identifier: image };
}

/** A package with an exact version, as an example of how to write it. */
export function suggestVersion(registry: PackageRegistry, identifier: string): string {
  if (registry === 'oci') {
    const [, image = identifier] = /^([^:]*(?::\d+\/[^:]*)?):/.exec(identifier) ?? [];
    return `${image}:1.2.3`;
  }
  return `${identifier}${registry === 'pypi' ? '==' : '@'}1.2.3`;
}
