import type { PackageRegistry } from '../connection.ts';

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

/** Registries of images whose references people write as an address. */
const IMAGE_HOST =
  /^(?:ghcr\.io|docker\.io|quay\.io|mcr\.microsoft\.com|[a-z\d.-]+\.pkg\.dev|public\.ecr\.aws|registry\.gitlab\.com)$/;

/** The package at an address of a registry's page, or of an image; undefined for other addresses. */
export function readPackagePage(address: string): ({ registry: PackageRegistry } & Reference) | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  const host = url.hostname.replace(/^www\./, '');
  const words = url.pathname.split('/').filter(Boolean).map(decode);
  const [first, second, third, ...more] = words;
  if (host === 'npmjs.com' && first === 'package') {
    const isScoped = second?.startsWith('@') && third !== undefined;
    const rest = isScoped ? more : [third, ...more];
    const identifier = isScoped ? `${second}/${third}` : second;
    return { registry: 'npm', identifier: identifier ?? '', version: rest[0] === 'v' ? rest[1] : undefined };
  }
  if (host === 'pypi.org' && first === 'project') return { registry: 'pypi', identifier: second ?? '', version: third };
  if (host === 'nuget.org' && first === 'packages')
    return { registry: 'nuget', identifier: second ?? '', version: third };
  if (host === 'hub.docker.com' && first === 'r')
    return { registry: 'oci', identifier: `docker.io/${second}/${third}` };
  if (host === 'hub.docker.com' && first === '_') return { registry: 'oci', identifier: `docker.io/library/${second}` };
  if (host === 'github.com' && third === 'pkgs' && more[0] === 'container') {
    const tag = url.searchParams.get('tag');
    const image = `ghcr.io/${first}/${more[1]}`.toLowerCase();
    return { registry: 'oci', identifier: tag === null ? image : `${image}:${tag}` };
  }
  return IMAGE_HOST.test(host) && words.length > 0
    ? { registry: 'oci', identifier: `${host}/${words.join('/')}` }
    : undefined;
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/** A package with an exact version, as an example of how to write it. */
export function suggestVersion(registry: PackageRegistry, identifier: string): string {
  if (registry === 'oci') {
    const [, image = identifier] = /^([^:]*(?::\d+\/[^:]*)?):/.exec(identifier) ?? [];
    return `${image}:1.2.3`;
  }
  return `${identifier}${registry === 'pypi' ? '==' : '@'}1.2.3`;
}
