import { hash } from 'node:crypto';
import { hostOf } from '@agent-registry/contracts';

/**
 * The key under which an agent is found by its website, equal for addresses that differ only in scheme, `www.`, letter
 * case of the host, a dot at its end or a slash at the end; null without a website. A hash, since an index takes no long values.
 * @example toWebsiteKey('https://www.Example.com/') === toWebsiteKey('http://example.com')
 */
export function toWebsiteKey(website: string | null): string | null {
  const url = website === null ? null : URL.parse(website);
  if (!url) return null;
  const { href, port, pathname, search, hash: fragment } = url;
  const host = (hostOf(href) ?? '').replace(/^www\./, '') + (port && `:${port}`);
  return hash('sha256', host + pathname.replace(/\/$/, '') + search + fragment, 'base64url');
}
