// Commands that start MCP servers, and those of clients that add them.
import { toMcpRemote } from '../connection-text.ts';
import type { PackageRegistry } from '../connection.ts';
import { flagsOf, hideArguments, maskPackage, readOptions, type Flags, type Given } from './command-options.ts';
import { isAddress, maskUrl, maskWord, nameOfAssignment, REMOVED, show, type Cell } from './masked-text.ts';
import { splitReference } from './package-references.ts';

/** What was found in a command or configuration: connections that are not validated, or JSON, and what is wrong. */
export type Found = {
  connection?: Record<string, unknown> & { kind: string };
  headers?: string[] | undefined;
  variables?: string[] | undefined;
  /** A word that is the JSON of a server. */
  json?: Cell;
  fault?: string;
  /** What was left out. */
  note?: string;
  /** Whether arguments were left out. */
  hasArguments?: boolean;
};

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
function toProgram({ value }: Cell): string {
  return (value.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat|ps1)$/i, '').toLowerCase();
}

/** Reads the words of a command; undefined if it is no known one. Shows what is no value. */
export function readCommand(cells: readonly Cell[]): Found | undefined {
  const variables: string[] = [];
  let rest = cells;
  const skip = (count: number) => {
    rest.slice(0, count).forEach((cell) => show(cell));
    rest = rest.slice(count);
  };
  for (;;) {
    const [first, second] = rest;
    if (!first) return undefined;
    const name = nameOfAssignment(first.value);
    if (name !== undefined) {
      variables.push(name);
      show(first, `${name}=${REMOVED}`);
      rest = rest.slice(1);
    } else if (toProgram(first) === 'cmd' && /^\/[ck]$/i.test(second?.value ?? '')) skip(2);
    else if (/^(?:\$|>|PS>|sudo|env)$/.test(first.value)) skip(1);
    else break;
  }
  const found = readProgram(rest, skip, () => rest);
  if (found && variables.length > 0) found.variables = [...variables, ...(found.variables ?? [])];
  return found;
}

function readProgram(
  cells: readonly Cell[],
  skip: (count: number) => void,
  restOf: () => readonly Cell[],
): Found | undefined {
  const head = cells.slice(0, 3).map((cell, index) => (index === 0 ? toProgram(cell) : cell.value));
  const line = head.join(' ');
  const runner = runners.find(({ names }) => names.test(line));
  if (runner) {
    skip(runner.names.exec(line)?.[0].trim().split(' ').length ?? 1);
    return readRunner(runner, restOf());
  }
  if (head[1] === 'mcp' && /^(?:add|add-json|install)$/.test(head[2] ?? '')) {
    skip(3);
    return readClient(restOf(), head[2] === 'add-json');
  }
  const added = cells.findIndex(({ value }) => value === '--add-mcp');
  if (added < 0 || !/^code(?:-insiders)?$/.test(head[0] ?? '')) return undefined;
  show(cells[0]);
  show(cells[added]);
  const json = cells[added + 1];
  return json ? { json } : undefined;
}

/** Reads the command of a client that adds a server. */
function readClient(cells: readonly Cell[], isJson: boolean): Found | undefined {
  const { words, given, rest, isEnded } = readOptions(cells, clientFlags, 2);
  const [name, target] = words;
  if (name) show(name, /^[\w .-]{1,60}$/.test(name.value) ? name.value : maskWord(name.value));
  if (isJson) return target ? { json: target } : undefined;
  if (target && isAddress(target.value)) {
    show(target, maskUrl(target.value));
    const more = readOptions(rest, clientFlags, Infinity, given);
    return toRemote(target.shown ?? '', more.given, [...more.words, ...more.rest].length > 0);
  }
  const url = given.url?.[0];
  if (url !== undefined) return toRemote(url, given, false);
  const command = target && !isEnded ? [target, ...rest] : [...words.slice(1), ...rest];
  const found = readCommand(command);
  if (!found)
    return command.length === 0 ? { fault: 'this command has no address and no command of a server' } : undefined;
  return { ...found, variables: [...(given.variable ?? []), ...(found.variables ?? [])] };
}

function toRemote(url: string, { header, transport = [] }: Given, hasArguments: boolean): Found {
  return { connection: toMcpRemote(url, transport[0]), headers: header, hasArguments };
}

/** Reads what stands behind a program that fetches and starts a package. */
function readRunner({ registry, flags }: Runner, cells: readonly Cell[]): Found {
  const { words, given, rest } = readOptions(cells, flags, registry === 'nuget' ? Infinity : 1);
  const [first, ...others] = words;
  const isNamed = given.package !== undefined;
  show(first, first && maskPackage(first.value));
  const args = [...others, ...rest];
  const reference = splitReference(registry, given.package?.[0] ?? first?.shown ?? '');
  if (registry === 'npm' && !isNamed && reference.identifier === 'mcp-remote') {
    const remote = readOptions(args, remoteFlags);
    show(remote.words[0], remote.words[0] && maskUrl(remote.words[0].value));
    return toRemote(remote.words[0]?.shown ?? '', remote.given, remote.words.length > 1);
  }
  hideArguments(args);
  const version = given.version?.[0] ?? reference.version;
  if (reference.identifier === '') return { fault: 'this command has no package' };
  if (given.source) return { fault: `this command takes the package from another place than ${registry}` };
  return {
    connection: { kind: 'mcp-package', registry, ...reference, ...(version !== undefined && { version }) },
    variables: given.variable,
    hasArguments: args.some(({ value }) => !/^(?:--yes|-y|--)$/.test(value)) || (isNamed && first === undefined),
  };
}
