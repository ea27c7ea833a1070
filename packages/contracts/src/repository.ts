/** The file in the root of a repository that proves control of it. */
export const REPOSITORY_FILE = '.agent-registry';

/** A service for Git repositories. */
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

/** A repository of a service. */
export type Repository = {
  /** The host of the service. */
  service: string;
  /** The host and the path; services ignore letter case. */
  name: string;
  /** The address of the file that proves control of it. */
  file: string;
};

/** The service for repositories at a web address; undefined for other hosts. */
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
  const parts = new URL(address).pathname.replace(/^\/|\/$/g, '').split('/');
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
