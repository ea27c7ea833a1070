import { hash } from 'node:crypto';

/**
 * The key under which an agent is found by its website, equal for addresses that differ only in scheme, `www.`, letter
 * case of the host or a slash at the end; null without a website. A hash, since an index takes no long values.
 * @example toWebsiteKey('https://www.Example.com/') === toWebsiteKey('http://example.com')
 */
export function toWebsiteKey(website: string | null): string | null {
  const url = website === null ? null : URL.parse(website);
  if (!url) return null;
  const { host, pathname, search, hash: fragment } = url;
  return hash('sha256', host.replace(/^www\./, '') + pathname.replace(/\/$/, '') + search + fragment, 'base64url');
}
