import { findRepository, findRepositoryService, normalizeEscapes } from './website.ts';

/** Hosts whose pages belong to many people, with their subdomains, where a path begins with the account. */
const ACCOUNT_HOSTS = toHosts(`
  bitbucket.org codeberg.org facebook.com gitee.com github.com gitlab.com huggingface.co linktr.ee medium.com
  raw.githubusercontent.com replit.com t.me x.com`);

/** Other hosts whose pages belong to many people: their paths do not tell to whom. */
const GALLERIES = toHosts(`
  bilibili.com chatgpt.com colab.research.google.com crates.io discord.com docs.google.com glama.ai hub.docker.com
  linkedin.com lobehub.com mcp.so mcpmarket.com mcpservers.org notion.so npmjs.com poe.com pulsemcp.com pypi.org
  reddit.com sites.google.com smithery.ai workspace.google.com youtube.com`);

function toHosts(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** The parts of a path that stand before the account. */
const SECTIONS = new Set(['collections', 'datasets', 'spaces']);

export type WebsiteName = {
  /** Its host without `www.`; on a shared host with the account, if the path tells it. */
  name: string;
  /** Whether it is a page of a host with pages of many people that does not tell to whom it belongs. */
  isGallery: boolean;
  /** What of it an owner can prove to control: its repository or its name; undefined if nothing. */
  provable: string | undefined;
};

/**
 * Names a website; undefined without one, and for a text that is no address, which a stored agent may have. A host that gives each of its
 * users a subdomain, such as github.io, is not shared.
 * @param more shared hosts of the operator
 * @example nameWebsite('https://github.com/coinpaprika/mcp')?.name // 'github.com/coinpaprika'
 */
export function nameWebsite(website: string | null, more: readonly string[] = []): WebsiteName | undefined {
  const url = website === null ? null : URL.parse(website);
  if (!url) return undefined;
  const name = url.host.replace(/^www\./, '').replace(/\.$/, '');
  const shared = findSharedHost(url.hostname, more);
  if (shared === undefined) return { name, isGallery: false, provable: name };
  const account = normalizeEscapes(url.pathname)
    .split('/')
    .find((part) => part !== '' && !SECTIONS.has(part));
  if (account === undefined || !ACCOUNT_HOSTS.has(shared))
    return { name: shared, isGallery: true, provable: undefined };
  const owner = `${shared}/${account}`;
  const provable = findRepositoryService(url.href) === undefined ? owner : findRepository(url.href)?.name;
  return { name: owner, isGallery: false, provable };
}

/** Whether the pages of a host belong to many people: a file there proves control of one page at most. */
export function isSharedHost(hostname: string, more?: readonly string[]): boolean {
  return findSharedHost(hostname, more) !== undefined;
}

export function findSharedHost(hostname: string, more: readonly string[] = []): string | undefined {
  const labels = hostname.toLowerCase().replace(/\.$/, '').split('.');
  const hosts = labels.map((_, index) => labels.slice(index).join('.'));
  return hosts.find((host) => ACCOUNT_HOSTS.has(host) || GALLERIES.has(host) || more.includes(host));
}
