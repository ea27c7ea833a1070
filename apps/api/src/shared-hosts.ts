import { getDomain } from 'tldts';

/**
 * Hosts whose pages belong to many people, with their subdomains: a file there proves control of one page at most. A host
 * that gives each of its users a subdomain, such as github.io, is not among them.
 */
const SHARED_HOSTS = new Set([
  'bitbucket.org',
  'chatgpt.com',
  'codeberg.org',
  'crates.io',
  'discord.com',
  'docs.google.com',
  'facebook.com',
  'gitee.com',
  'github.com',
  'gitlab.com',
  'glama.ai',
  'huggingface.co',
  'hub.docker.com',
  'linkedin.com',
  'linktr.ee',
  'lobehub.com',
  'mcp.so',
  'medium.com',
  'npmjs.com',
  'notion.so',
  'poe.com',
  'pypi.org',
  'raw.githubusercontent.com',
  'reddit.com',
  'replit.com',
  'sites.google.com',
  'smithery.ai',
  't.me',
  'x.com',
  'youtube.com',
]);

/** Whether the pages of a host belong to many people. */
export function isSharedHost(hostname: string): boolean {
  return findSharedHost(hostname.toLowerCase().replace(/\.$/, '')) !== undefined;
}

/**
 * The site of a web address, which counts as one host for limits: the registrable domain by the Public Suffix List with its
 * private section; on a shared host one account.
 * @throws {TypeError} if it is no address
 * @example toSite('https://api.example.co.uk/x') // 'example.co.uk', and 'github.com/someone' of 'https://github.com/Someone/x'
 */
export function toSite(address: string): string {
  const { hostname, pathname } = new URL(address);
  const host = hostname.replace(/\.$/, '');
  const shared = findSharedHost(host);
  if (shared === undefined) return getDomain(host, { allowPrivateDomains: true }) ?? host;
  const [, account = ''] = pathname.split('/', 2);
  return account === '' ? shared : `${shared}/${account.toLowerCase()}`;
}

function findSharedHost(host: string): string | undefined {
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.')).find((name) => SHARED_HOSTS.has(name));
}
