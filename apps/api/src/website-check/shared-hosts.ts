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
  'huggingface.co',
  'hub.docker.com',
  'linkedin.com',
  'linktr.ee',
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
  const labels = hostname.toLowerCase().replace(/\.$/, '').split('.');
  return labels.some((_, index) => SHARED_HOSTS.has(labels.slice(index).join('.')));
}
