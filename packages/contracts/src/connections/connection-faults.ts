// What connections must not be: clients put them into shells and configuration files, where a stranger's text could run
// commands or carry a secret away. Plain functions, since pages check also what an older version has stored. A fault is the
// end of a sentence; undefined if there is none.
import { addressOf, inputsOf, type Connection, type McpPackage } from './connection.ts';
import type { PackageRegistry } from './kinds.ts';
import { argumentsOf } from './package-command.ts';

const MAX_URL_LENGTH = 2_048;

// Clients expand ${VAR}, ${env:VAR} and ${input:x}; shells expand and split the others.
const FORBIDDEN_IN_URL = /[${}"'\\<>|^!`]/;
// Escapes may look like a %NAME% of Windows: commands leave such addresses out.
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
// The special-use names of the IANA registry (RFC 6761) but those of examples, which sample data has; and what networks use.
const PRIVATE_HOST = /(?:^|\.)(?:alt|arpa|internal|invalid|lan|local|localhost|onion|test)$/;
const SECRET_WORDS = new Set('token key apikey secret password pass sig signature auth'.split(' '));

export function findAddressFault(text: string): string | undefined {
  if (text === '') return 'is required';
  if (text.length > MAX_URL_LENGTH) return 'can have at most 2,048 characters';
  const character = /[^!-~]/u.exec(text) ?? FORBIDDEN_IN_URL.exec(text);
  if (character) return `must not have ${nameCharacter(character[0])}`;
  const url = URL.parse(text);
  if (!url || !/^https:\/\//i.test(text)) return 'must be an https address, such as https://example.com/mcp';
  if (BROKEN_ESCAPE.test(text)) return 'must have % only in escapes such as %20';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  if (text.includes('#')) return 'must not have a fragment (#)';
  if (url.port !== '') return 'must not have a port: connections are https on port 443';
  const name = [...url.searchParams.keys()].find(namesSecret);
  if (name !== undefined) return `must not have the parameter ${name}: a secret belongs into a header`;
  if (url.href.length > MAX_URL_LENGTH) return 'can have at most 2,048 characters';
  return findHostFault(url.hostname);
}

function findHostFault(host: string): string | undefined {
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return 'must have a host name, not an IP address';
  // Allow-lists of clients read it as any host.
  if (host.includes('*')) return 'must have a host name without *';
  if (!/^[^.]+(?:\.[^.]+)+$/.test(host)) return 'must have a host name with a dot, and none at its end';
  return PRIVATE_HOST.test(host) ? 'must have a host that everybody can reach' : undefined;
}

/** Whether a word of the name of a parameter says that its value is secret. */
export function namesSecret(name: string): boolean {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z\d]+/g, ' ');
  return words.split(' ').some((word) => SECRET_WORDS.has(word.toLowerCase()));
}

function nameCharacter(character: string): string {
  if (/\s/u.test(character)) return 'blanks';
  return /[!-~]/.test(character)
    ? `the character ${character}`
    : 'characters outside of ASCII: escape them as browsers do';
}

/** The form of an identifier, its longest, and how a refusal describes it. */
const identifiers: Record<Exclude<PackageRegistry, 'mcpb'>, { form: RegExp; max: number; like: string }> = {
  npm: { form: /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/, max: 214, like: 'a name such as @example/tides' },
  pypi: { form: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/, max: 100, like: 'a name such as example-tides' },
  nuget: { form: /^[A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*$/, max: 100, like: 'a name such as Example.Tides' },
  oci: {
    form: /^(?<host>[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:\/[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*)+(?::(?!latest$)[A-Za-z0-9_][A-Za-z0-9._-]{0,127}|@sha256:[a-f0-9]{64})$/,
    max: 400,
    like: 'an image with its host and a tag or digest, not latest, such as ghcr.io/example/tides:1.4.0',
  },
};

/** The address of a file of a release. */
const RELEASE_FILE =
  /^https:\/\/(?:github\.com\/[^/?]+\/[^/?]+\/releases\/download\/[^/?]+\/[^/?]+|gitlab\.com\/(?:(?!-\/)[^/?]+\/)+-\/(?:releases\/[^/?]+\/downloads\/[^?]+|package_files\/[^/?]+\/download))$/;

export function findIdentifierFault(registry: PackageRegistry, identifier: string): string | undefined {
  if (registry === 'mcpb') {
    const fault = findAddressFault(identifier);
    if (fault !== undefined) return fault;
    const isRelease = RELEASE_FILE.test(new URL(identifier).href) && /mcp/i.test(identifier);
    return isRelease ? undefined : 'must be a file of a release on github.com or gitlab.com with "mcp" in its address';
  }
  const { form, max, like } = identifiers[registry];
  const match = identifier.length <= max ? form.exec(identifier) : null;
  if (!match) return `must be ${like}`;
  return match.groups?.host === undefined ? undefined : findHostFault(match.groups.host);
}

const NUMBER = String.raw`(?:0|[1-9]\d*)`;
const PRERELEASE = String.raw`(?:${NUMBER}|\d*[A-Za-z-][\dA-Za-z-]*)`;
/** A version by semver.org. To npm other texts are tags or ranges, which are another package tomorrow. */
const SEMANTIC_VERSION = new RegExp(
  String.raw`^${NUMBER}\.${NUMBER}\.${NUMBER}(?:-${PRERELEASE}(?:\.${PRERELEASE})*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$`,
);

export function findVersionFault(registry: PackageRegistry, version: string | undefined): string | undefined {
  if (registry === 'oci')
    return version === undefined ? undefined : 'must be left out: the image has its tag or digest';
  if (version === undefined) return registry === 'mcpb' ? undefined : 'is required';
  const isExact =
    /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/.test(version) &&
    (registry === 'npm' ? SEMANTIC_VERSION.test(version) : !/^latest$|(?:^|\.)x(?:\.|$)/i.test(version));
  return isExact ? undefined : 'must be one exact version such as 1.4.0, not a tag or a range';
}

export function findChecksumFault(registry: PackageRegistry, sha256: string | undefined): string | undefined {
  if (sha256 === undefined) return registry === 'mcpb' ? 'is required for a file' : undefined;
  return /^[a-f0-9]{64}$/.test(sha256) ? undefined : 'must be 64 hexadecimal digits in lower case';
}

const RESERVED_HEADER = /^(?:host|cookie|origin|connection|content-.*|transfer-.*|mcp-.*)$/i;
// They change which program a package runs, or where it gets code from.
const RESERVED_VARIABLE = /^(?:PATH|HOME|BASH_ENV|.*_PROXY|(?:NODE|NPM|UV|LD|DYLD|DOTNET|JAVA|GIT|SSL)_.*|PYTHON.*)$/i;
// People may give these to a program themselves; a stranger's value would have it start otherwise.
const UNFIXED = /^(?:COMSPEC|PERL5(?:LIB|OPT)|RUBY(?:LIB|OPT)|(?:BUN|DENO|DOCKER|ELECTRON|NUGET|OPENSSL|PIP|XDG)_.*)$/i;
const MAX_INPUT_NAME_LENGTH = 64;

export function findHeaderFault(name: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || name.length > MAX_INPUT_NAME_LENGTH)
    return 'must be a name of RFC 9110 such as X-Api-Key, of at most 64 characters';
  return RESERVED_HEADER.test(name) ? `must not be ${name}, which clients set themselves` : undefined;
}

export function findVariableFault(name: string): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name) || name.length > MAX_INPUT_NAME_LENGTH)
    return 'must be a name such as TIDES_KEY, of letters, digits and _, with at most 64 characters';
  return RESERVED_VARIABLE.test(name) ? `must not be ${name}, which changes how programs start` : undefined;
}

const MAX_VALUE_LENGTH = 200;
// The alphabet of addresses, without escapes.
const VALUE = /^(?:(?![${}"'\\<>|^!`%])[!-~])+$/;
const TEMPLATE = /^[\w.:=/ -]{0,40}\{[\w.-]{1,64}\}[\w.:=/-]{0,40}$/;

export function findValueFault(value: string): string | undefined {
  return VALUE.test(value) && value.length <= MAX_VALUE_LENGTH
    ? undefined
    : `must be up to ${MAX_VALUE_LENGTH} characters without blanks and without signs that shells or clients expand`;
}

/** What is wrong with the value of a header or variable, which may be a template such as `Bearer {key}`. */
export function findInputValueFault(name: string, value: string): string | undefined {
  if (TEMPLATE.test(value)) return undefined;
  if (/[{}]/.test(value)) return 'can have the place of one variable, such as Bearer {key}';
  if (UNFIXED.test(name)) return 'must not be fixed, since it changes how programs start';
  const isSecret = namesSecret(name) || /authori[sz]ation|bearer|credential|jwt|session/i.test(name);
  return isSecret ? 'must not be fixed, since the name says that it is secret' : findValueFault(value);
}

function findPackageFaults({ registry, identifier, version, sha256 }: McpPackage) {
  const faults = [findVersionFault(registry, version), findChecksumFault(registry, sha256)];
  return [findIdentifierFault(registry, identifier), ...faults];
}

/** Whether a stored connection keeps the rules of this version, so that a page may offer it as a link or command. */
export function isSafeConnection(connection: Connection): boolean {
  const findNameFault = connection.kind === 'mcp' ? findHeaderFault : findVariableFault;
  const faults =
    connection.kind === 'mcp-package' ? findPackageFaults(connection) : [findAddressFault(addressOf(connection))];
  const inputs = inputsOf(connection).flatMap(({ name, value }) => [
    findNameFault(name),
    value === undefined ? undefined : findInputValueFault(name, value),
  ]);
  const args = argumentsOf(connection).flatMap(({ name, value }) =>
    [name, value].map((text) => text && findValueFault(text)),
  );
  return [...faults, ...inputs, ...args].every((fault) => fault === undefined);
}
