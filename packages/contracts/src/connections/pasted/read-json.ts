// Configurations of MCP clients, `server.json`, and connections as the API writes them.
import type { Json } from '../../json-paths.ts';
import { connectionKinds, inputsOf, withoutValues, type ConnectionInput } from '../connection.ts';
import { toMcpRemote } from '../connection-text.ts';
import { describeLeft, readServerJson, type LeftPart } from '../read-server-json.ts';
import { memberOf, parseNodes, textOf, toEdits, toValue, type JsonNode, type ObjectNode } from './json-nodes.ts';
import { applyEdits, isAddress, maskUrl, nameOfAssignment, nameOfHeader, REMOVED, show } from './masked-text.ts';
import { readCommand, type Found } from './read-command.ts';
import { rewriteShell, splitShell } from './shell-words.ts';

/** Something that was found, and where. `inputs` are descriptions of what clients ask for. */
export type FoundAt = Found & { at: number; inputs?: ConnectionInput[] | undefined };

/** Members whose texts are no values of secrets. */
const SHOWN = new Set(
  'type transport url serverUrl httpUrl kind registry registryType registryBaseUrl identifier version sha256 fileSha256 name title description runtimeHint $schema websiteUrl id card format source'.split(
    ' ',
  ),
);
/** Members that hold headers or variables. */
const HOLDS_VALUES = /^(?:env|environment|environmentVariables|headers|http_headers|httpHeaders|env_http_headers)$/;
const AUTHORIZATION = /^(?:(?:Bearer|Basic|Token) )?\{[\w-]+\}$/;

/** Shows what is no value; everything else stays hidden. */
function maskNode(node: JsonNode, key: string, isValue = false): void {
  if (node.type === 'object')
    for (const entry of node.entries)
      maskNode(
        entry.value,
        entry.key.value,
        isValue || (HOLDS_VALUES.test(entry.key.value) && entry.value.type === 'object'),
      );
  else if (node.type === 'array') for (const item of node.items) maskNode(item, key, isValue);
  else if (isValue) return;
  else if (!node.isString) show(node, /^(?:true|false|null)$/.test(node.value) ? node.value : REMOVED);
  else if (HOLDS_VALUES.test(key)) {
    const name = nameOfAssignment(node.value) ?? nameOfHeader(node.value);
    if (name !== undefined) show(node, `${name}=${REMOVED}`);
  } else if (SHOWN.has(key)) show(node, isAddress(node.value) ? maskUrl(node.value) : node.value);
  // The template of a `server.json` names its input.
  else if (key === 'value' && AUTHORIZATION.test(node.value)) show(node);
}

/** The names of the headers or variables of a server. */
function namesIn(node: JsonNode | undefined): string[] {
  if (node?.type === 'object') return node.entries.map(({ key }) => key.value);
  if (node?.type !== 'array') return [];
  return node.items.flatMap((item) => {
    if (item.type === 'object') return textOf(item, 'name', 'key')?.value ?? [];
    return item.type === 'scalar' ? (nameOfAssignment(item.value) ?? nameOfHeader(item.value) ?? []) : [];
  });
}

/** Reads the server of a client's configuration. */
function readServer(node: ObjectNode): FoundAt {
  const at = node.start;
  const headers = ['headers', 'http_headers', 'httpHeaders', 'env_http_headers'].flatMap((name) =>
    namesIn(memberOf(node, name)),
  );
  const url = textOf(node, 'url', 'serverUrl', 'httpUrl');
  if (url) {
    const isCard = memberOf(node, 'skills') !== undefined || memberOf(node, 'protocolVersion') !== undefined;
    if (isCard) return { at, fault: 'this is an agent card: write the address at which it is served' };
    const transport = textOf(node, 'type', 'transport')?.value;
    const named = transport !== undefined && /^(?:sse|http|streamable-?http)$/i.test(transport) ? transport : undefined;
    return { at, connection: toMcpRemote(url.shown ?? '', named), headers };
  }
  const command = memberOf(node, 'command');
  const variables = ['env', 'environment'].flatMap((name) => namesIn(memberOf(node, name)));
  const words = [command, memberOf(node, 'args')].flatMap((given) =>
    given?.type === 'array' ? given.items : (given ?? []),
  );
  const cells = words.filter((word) => word.type === 'scalar');
  const [first] = cells;
  const found = first && cells.length === 1 && first.value.includes(' ') ? readShellCell(first) : readCommand(cells);
  if (!found) {
    const known = 'npx, uvx, docker run or dnx';
    return { at, fault: `this server is started by a program that the registry does not know: it takes ${known}` };
  }
  return { ...found, at, variables: [...(found.variables ?? []), ...variables] };
}

function readShellCell(cell: Parameters<typeof readCommand>[0][number]): Found | undefined {
  const { words, isOpen } = splitShell(cell.value);
  const found = readCommand(words);
  show(cell, rewriteShell(cell.value, words, isOpen));
  return found;
}

/** Reads the remotes and packages of a `server.json`. What is not taken is a fault if nothing is left. */
function readParts(node: ObjectNode): FoundAt[] {
  const { connections, left } = readServerJson(withoutRemoved(toValue(node)) as Json);
  const placeOf = ([list = '', index = 0]: LeftPart['path']) => {
    const member = memberOf(node, String(list));
    return (member?.type === 'array' ? member.items[Number(index)] : undefined)?.start ?? node.start;
  };
  const found = connections.map((each): FoundAt => {
    const connection = withoutValues(each);
    return { at: node.start, connection, inputs: [...inputsOf(connection)] };
  });
  const notes = left.map((part) => ({
    at: placeOf(part.path),
    [found.length > 0 ? 'note' : 'fault']: describeLeft(part),
  }));
  return [...found, ...notes];
}

/** A value without the texts that were removed, and without arguments, whose values they are. */
function withoutRemoved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRemoved);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name, each]) => each !== REMOVED && !/arguments$/i.test(name));
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutRemoved(each)]));
}

/** Reads a connection as the API writes it. */
function readOwn(node: ObjectNode): FoundAt {
  const { headers, environment, ...connection } = toValue(node) as Record<string, unknown> & { kind: string };
  const given = headers ?? environment;
  const inputs = Array.isArray(given) ? given.map(toInput) : undefined;
  return { at: node.start, connection, inputs };
}

function toInput(given: unknown): ConnectionInput {
  const { name, description, required, secret } = (given ?? {}) as Record<string, unknown>;
  const text = typeof name === 'string' ? name : '';
  return {
    name: text,
    description: typeof description === 'string' && description !== '' ? description : text,
    required: required !== false,
    secret: secret !== false,
  };
}

/** Finds the servers in a node and in what it holds. */
function readNode(node: JsonNode): FoundAt[] {
  if (node.type === 'array') return node.items.flatMap(readNode);
  if (node.type === 'scalar') return [];
  const kind = textOf(node, 'kind')?.value;
  if (connectionKinds.some((known) => known === kind)) return [readOwn(node)];
  if (memberOf(node, 'remotes')?.type === 'array' || memberOf(node, 'packages')?.type === 'array')
    return readParts(node);
  if (textOf(node, 'openapi', 'swagger'))
    return [{ at: node.start, fault: 'this is an OpenAPI description: write the address at which it is served' }];
  if (textOf(node, 'url', 'serverUrl', 'httpUrl', 'command') ?? memberOf(node, 'command')?.type === 'array')
    return [readServer(node)];
  return node.entries.flatMap(({ key, value }) => (HOLDS_VALUES.test(key.value) ? [] : readNode(value)));
}

/** Reads the JSON that begins at a place: what it says, where it ends, and the edits that remove its values. */
export function readJson(text: string, from: number) {
  const { root, comments, end, mistake } = parseNodes(text, from);
  maskNode(root, '');
  const found = readNode(root);
  const edits = [...comments, ...toEdits(root)];
  if (mistake !== undefined) return { found: [{ at: mistake, fault: 'here this JSON has a mistake' }], edits, end };
  if (found.length > 0) return { found, edits, end };
  return { found: [{ at: from, fault: 'this JSON has no server with a url or a command' }], edits, end };
}

/** Reads a word that is JSON. */
export function readJsonWord(text: string): { text: string; found: FoundAt[] } {
  const { found, edits } = readJson(text, 0);
  return { text: applyEdits(text, edits), found };
}
