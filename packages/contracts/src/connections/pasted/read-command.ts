// Commands that start MCP servers, and those of clients that add them.
import type { ConnectionInput } from '../connection.ts';
import type { PackageRegistry } from '../kinds.ts';
import { flagsOf, readOptions, type Flags, type Given } from './command-options.ts';
import { isAddress, maskPackage, maskUrl, nameOfAssignment } from './mask.ts';
import { splitReference } from './package-references.ts';

/** A connection that is not validated. */
export type GivenConnection = Record<string, unknown> & { kind: string };

/** What was found: a connection, or a JSON text, or what is wrong. */
export type Found = {
  connection?: GivenConnection;
  inputs?: ConnectionInput[];
  /** The text of a server in JSON. */
  json?: string;
  fault?: string;
  /** What was left out. */
  note?: string;
};

/** A header or variable of which only the name is known. */
export const toInput = (name: string): ConnectionInput => ({ name, description: name, required: true, secret: true });

/** A remote MCP server; without a transport, by how such addresses end. */
export function toMcpRemote(url: string, transport?: string): GivenConnection {
  const isSse = /\/sse\/?$/.test(URL.parse(url)?.pathname ?? '');
  const named = transport?.toLowerCase() ?? (isSse ? 'sse' : 'http');
  const isHttp = /^(?:http|streamable-?http|http-(?:only|first))$/.test(named);
  return { kind: 'mcp', transport: isHttp ? 'streamable-http' : named.replace(/^sse-(?:only|first)$/, 'sse'), url };
}

const NO_ARGUMENTS = 'Arguments and options are left out: clients start the server without them';

type Runner = { registry: PackageRegistry; flags: Flags; names: RegExp };

const runners: readonly Runner[] = [
  {
    registry: 'npm',
    names: /^(?:npx|bunx|pnpx|bun x|pnpm dlx|yarn dlx|npm (?:exec|x|install|i|add))(?: |$)/,
    flags: flagsOf({
      package: '-p --package',
      source: '--registry',
      other: '-c --call --cache --prefix --loglevel',
      none: '-y --yes -q --quiet --silent -g --global --offline --prefer-online --prefer-offline --bun',
    }),
  },
  {
    registry: 'pypi',
    names: /^(?:uvx|uv tool (?:run|install)|pipx (?:run|install)|pip3? install)(?: |$)/,
    flags: flagsOf({
      package: '--from --spec',
      source: '--index --index-url --default-index --extra-index-url -i',
      other: '-p --python --with --with-editable --env-file --directory',
      none: '-q --quiet -U --upgrade --user --isolated --offline --no-cache --refresh --force --native-tls',
    }),
  },
  {
    registry: 'oci',
    names: /^(?:docker|podman) (?:container )?(?:run|pull)(?: |$)/,
    flags: flagsOf({
      variable: '-e --env',
      other:
        '-v --volume --mount --name -p --publish --network --net -u --user -w --workdir --platform --entrypoint --env-file --add-host -m --memory --cpus --label -l --restart -h --hostname --gpus --device --security-opt --cap-add --cap-drop --tmpfs --shm-size --log-driver --dns --runtime --ipc --pid --ulimit --pull',
      none: '-i --interactive -t --tty -it -ti -d --detach --rm --init --privileged --read-only -q --quiet',
    }),
  },
  {
    registry: 'nuget',
    names: /^(?:dnx|dotnet (?:dnx|tool (?:exec|install)))(?: |$)/,
    flags: flagsOf({
      version: '--version',
      source: '--source --add-source',
      other: '--configfile -v --verbosity',
      none: '-y --yes -g --global --prerelease --interactive --allow-roll-forward',
    }),
  },
];

const clientFlags = flagsOf({
  variable: '-e --env',
  header: '-H --header',
  transport: '-t --transport --type',
  url: '--url',
  bearer: '--bearer-token-env-var',
  other:
    '-s --scope --timeout --description --include-tools --exclude-tools --client-id --client-secret --callback-port --tools --cwd',
  none: '--trust --debug --verbose',
});
const remoteFlags = flagsOf({ header: '--header', transport: '--transport', other: '--auth-timeout --host' });

/** The name of a program without its folder and ending. */
function toProgram(word = ''): string {
  return (word.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat|ps1)$/i, '').toLowerCase();
}

/** Reads the words of a command; undefined if it is no known one. */
export function readCommand(words: readonly string[]): Found | undefined {
  const names: string[] = [];
  let at = 0;
  for (; at < words.length - 1; at++) {
    const word = words[at] as string;
    const name = nameOfAssignment(word);
    if (name !== undefined) names.push(name);
    else if (toProgram(word) === 'cmd' && /^\/[ck]$/i.test(words[at + 1] ?? '')) at++;
    else if (!/^(?:\$|>|PS>|sudo|env)$/.test(word)) break;
  }
  const found = readProgram(words.slice(at));
  return found && { ...found, inputs: [...names.map(toInput), ...(found.inputs ?? [])] };
}

function readProgram(words: readonly string[]): Found | undefined {
  const head = [toProgram(words[0]), ...words.slice(1, 3)];
  const line = head.join(' ');
  const runner = runners.find(({ names }) => names.test(line));
  if (runner) return readRunner(runner, words.slice(runner.names.exec(line)?.[0].trim().split(' ').length));
  if (head[1] === 'mcp' && /^(?:add|add-json|install)$/.test(head[2] ?? ''))
    return readClient(words.slice(3), head[2] === 'add-json');
  const json = words[words.indexOf('--add-mcp') + 1];
  return words.includes('--add-mcp') && /^code(?:-insiders)?$/.test(head[0] ?? '') && json ? { json } : undefined;
}

/** Reads the command of a client that adds a server. */
function readClient(all: readonly string[], isJson: boolean): Found | undefined {
  const { words, given, rest, isEnded } = readOptions(all, clientFlags, 2);
  const [, target] = words;
  if (isJson) return target === undefined ? undefined : { json: target };
  if (target !== undefined && isAddress(target)) {
    const more = readOptions(rest, clientFlags, Infinity, given);
    return toRemote(target, more.given, [...more.words, ...more.rest].length > 0);
  }
  const url = given.url?.[0];
  if (url !== undefined) return toRemote(url, given, false);
  const command = target !== undefined && !isEnded ? [target, ...rest] : [...words.slice(1), ...rest];
  const found = readCommand(command);
  if (!found)
    return command.length === 0 ? { fault: 'this command has no address and no command of a server' } : undefined;
  return { ...found, inputs: [...(given.variable ?? []).map(toInput), ...(found.inputs ?? [])] };
}

function toRemote(url: string, { header = [], transport = [] }: Given, hasArguments: boolean): Found {
  const note = hasArguments && { note: NO_ARGUMENTS };
  return { connection: toMcpRemote(maskUrl(url), transport[0]), inputs: header.map(toInput), ...note };
}

/** Reads what stands behind a program that fetches and starts a package. */
function readRunner({ registry, flags }: Runner, all: readonly string[]): Found {
  const { words, given, rest } = readOptions(all, flags, registry === 'nuget' ? Infinity : 1);
  const [first, ...others] = words;
  const named = given.package?.[0];
  const args = [...others, ...rest];
  const reference = splitReference(registry, named ?? (first === undefined ? '' : maskPackage(first)));
  if (registry === 'npm' && named === undefined && reference.identifier === 'mcp-remote') {
    const remote = readOptions(args, remoteFlags);
    return toRemote(remote.words[0] ?? '', remote.given, remote.words.length > 1);
  }
  if (reference.identifier === '') return { fault: 'this command has no package' };
  if (given.source) return { fault: `this command takes the package from another place than ${registry}` };
  const hasArguments = args.some((word) => !/^(?:--yes|-y|--)$/.test(word)) || (named !== undefined && !first);
  return {
    connection: { kind: 'mcp-package', registry, ...reference, version: given.version?.[0] ?? reference.version },
    inputs: (given.variable ?? []).map(toInput),
    ...(hasArguments && { note: NO_ARGUMENTS }),
  };
}
