/**
 * The canonical host of a web address: in lower case and ASCII, without the dot that may stand at its end. Undefined for a
 * text that is no address, which an agent of another version may have.
 * @example hostOf('https://Dot.example./x') // 'dot.example'
 */
export function hostOf(address: string): string | undefined {
  return URL.parse(address)?.hostname.replace(/\.$/, '');
}

/** A part of a parsed address with its escapes as RFC 3986, 6.2.2 writes them. */
export function normalizeEscapes(part: string): string {
  return part.replaceAll(/%[\dA-F]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

// `URL` writes every form of an IPv4 address as four decimal numbers and an IPv6 address in its shortest form.
const LOOPBACK_HOST = /^(?:(?:.+\.)?localhost\.?|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f..:.+|0:0)\])$/;

/** Whether a text is an http or https address without a user name. */
export function isWebAddress(value: string): boolean {
  // URL parsers differ in how they repair blanks, and escapes in the host name.
  if (/[\s\p{Cc}]/u.test(value) || !value.isWellFormed() || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  if (hostname.includes('%')) return false;
  return /^https?:$/.test(protocol) && username === '' && password === '' && /^https?:\/\//i.test(value);
}

/** Whether the host of a web address is the machine of each visitor. */
export function isLoopback(address: string): boolean {
  return LOOPBACK_HOST.test(new URL(address).hostname);
}

/** Whether the URL parser reads the host as it is written; programs differ in how they read others. */
export function keepsHost(address: string): boolean {
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(address) ?? [];
  const written = authority.replace(/:\d*$/, '').toLowerCase();
  // An IPv6 address has several spellings.
  if (written.startsWith('[')) return true;
  const read = new URL(address).hostname.split('.');
  const labels = written.split('.');
  return labels.length === read.length && labels.every((label, index) => keepsLabel(label, read[index] ?? ''));
}

function keepsLabel(written: string, read: string): boolean {
  if (written === read) return true;
  const isMapped = written !== written.normalize('NFKC') || /\p{Default_Ignorable_Code_Point}/u.test(written);
  return read.startsWith('xn--') && /[^\0-\x7F]/.test(written) && !isMapped;
}

/** Adds `https://` to an address that starts with a host name, such as `example.com/agent`. */
export function addScheme(website: string): string {
  const startsWithHost = /^[^\s:/?#@.]+\.[^\s:/?#@]+(?=[:/?#]|$)/;
  return startsWithHost.test(website.trim()) ? `https://${website.trim()}` : website;
}

/** What an owner can prove to control: all of a host, one page of it, or a repository. */
export const websiteProofs = ['host', 'page', 'repository', 'key'] as const;

export type WebsiteProof = (typeof websiteProofs)[number];

export type ProvedWebsite = {
  website: string | null;
  websiteCheckedAt?: string | undefined;
  websiteProof?: WebsiteProof | undefined;
};

export function isProved({ website, websiteCheckedAt }: ProvedWebsite): boolean {
  return website !== null && websiteCheckedAt !== undefined;
}

/**
 * Names what the owner of an agent proved; undefined without a proof. Proofs are made on port 443, which is named where the
 * website has another one.
 * @example describeProof(agent) // 'example.com', 'example.com:443', 'this page of example.com' or 'the repository github.com/a/b'
 */
export function describeProof(agent: ProvedWebsite): string | undefined {
  const url = agent.website === null ? null : URL.parse(agent.website);
  if (!url || !isProved(agent)) return undefined;
  const repository = agent.websiteProof === 'repository' ? findRepository(url.href) : undefined;
  if (repository) return `the repository ${repository.name}`;
  const host = url.port === '' ? url.hostname : `${url.hostname}:443`;
  if (agent.websiteProof === 'key') return `the key of ${host}`;
  return agent.websiteProof === 'host' ? host : `this page of ${host}`;
}

/** The text that the key of a domain signs for a claim. */
export function toClaimText(claim: { origin: string; id: string; challenge: string }): string {
  return ['agent-registry claim v1', claim.origin, claim.id, claim.challenge].join('\n');
}

/** The file in the root of a repository that proves control of it. */
export const REPOSITORY_FILE = '.agent-registry';

type RepositoryService = {
  /** The parts of a path that may stand before the owner. */
  sections?: readonly string[];
  /** Whether owners are groups of any depth, whose repositories end before a part `-`. */
  hasGroups?: boolean;
  /** The address of files on the default branch, with `{}` for the path of the repository. */
  files: string;
};

const services: Record<string, RepositoryService> = {
  // Its pages of raw files need the name of the branch; the API has the default branch without one.
  'codeberg.org': { files: 'https://codeberg.org/api/v1/repos/{}/raw/' },
  'github.com': { files: 'https://raw.githubusercontent.com/{}/HEAD/' },
  'gitlab.com': { hasGroups: true, files: 'https://gitlab.com/{}/-/raw/HEAD/' },
  // The default branch is always `main`.
  'huggingface.co': { sections: ['datasets', 'spaces'], files: 'https://huggingface.co/{}/raw/main/' },
};

/** The path of a repository; no part of it is `.` or `..`, which an address would leave out. */
const PATH = /^(?:[\w.-]*[\w-]\/)+[\w.-]*[\w-]$/;

export type Repository = {
  service: string;
  /** The host and the path; services ignore letter case. */
  name: string;
  file: string;
};

export function findRepositoryService(address: string): string | undefined {
  const host =
    URL.parse(address)
      ?.host.replace(/^www\./, '')
      .replace(/\.$/, '') ?? '';
  const service = host === 'raw.githubusercontent.com' ? 'github.com' : host;
  return Object.hasOwn(services, service) ? service : undefined;
}

/**
 * The repository that a web address is in, whatever its branch and page; undefined for other addresses.
 * @example findRepository('https://github.com/someone/agent/tree/next')?.name // 'github.com/someone/agent'
 */
export function findRepository(address: string): Repository | undefined {
  const service = findRepositoryService(address);
  if (service === undefined) return undefined;
  const { sections = [], hasGroups = false, files } = services[service] as RepositoryService;
  const parts = normalizeEscapes(new URL(address).pathname)
    .replace(/^\/|\/$/g, '')
    .split('/');
  const section = sections.includes(parts[0] ?? '') ? parts.splice(0, 1) : [];
  const end = hasGroups && parts.includes('-') ? parts.indexOf('-') : parts.length;
  const path = parts
    .slice(0, hasGroups ? end : 2)
    .join('/')
    .replace(/\.git$/, '');
  if (!PATH.test(path)) return undefined;
  const repository = [...section, path].join('/');
  return { service, name: `${service}/${repository}`, file: files.replace('{}', repository) + REPOSITORY_FILE };
}
