// Configurations of MCP clients, `server.json`, and connections as the API writes them.
import { textAt, toObject, type Json } from '../../json-paths.ts';
import { connectionKinds, inputsOf, type ConnectionInput } from '../connection.ts';
import { withoutValues } from '../connection-values.ts';
import { toMcpRemote } from '../connection-text.ts';
import { readServerJson } from '../read-server-json.ts';
import { describeLeft } from '../server-parts.ts';
import { readJsonText } from './json-text.ts';
import { maskUrl, nameOfAssignment, nameOfHeader } from './mask.ts';
import { readCommand, toInput, type Found } from './read-command.ts';
import { splitShell } from './shell-words.ts';

const MAX_DEPTH = 24;
const URLS = ['url', 'serverUrl', 'httpUrl'];
const HEADERS = ['headers', 'http_headers', 'httpHeaders', 'env_http_headers'];
const VARIABLES = ['env', 'environment'];

/** The names of the headers or variables of a server. */
function namesIn(value: unknown): string[] {
  if (!Array.isArray(value)) return Object.keys(toObject(value));
  return value.flatMap((item) =>
    typeof item === 'string'
      ? (nameOfAssignment(item) ?? nameOfHeader(item) ?? [])
      : (textAt(item, 'name', 'key') ?? []),
  );
}

/** Reads the server of a client's configuration. */
function readServer(server: Json): Found {
  const url = textAt(server, ...URLS);
  if (url !== undefined) {
    const isCard = 'skills' in server || 'protocolVersion' in server;
    if (isCard) return { fault: 'this is an agent card: write the address at which it is served' };
    const transport = textAt(server, 'type', 'transport');
    const named = transport !== undefined && /^(?:sse|http|streamable-?http)$/i.test(transport) ? transport : undefined;
    const headers = HEADERS.flatMap((name) => namesIn(server[name]));
    return { connection: toMcpRemote(maskUrl(url), named), inputs: headers.map(toInput) };
  }
  const words = [server.command, server.args].flat().filter((word) => typeof word === 'string');
  const [first = ''] = words;
  const found = readCommand(words.length === 1 && first.includes(' ') ? (splitShell(first).commands[0] ?? []) : words);
  if (!found) {
    const known = 'npx, uvx, docker run or dnx';
    return { fault: `this server is started by a program that the registry does not know: it takes ${known}` };
  }
  const variables = VARIABLES.flatMap((name) => namesIn(server[name]));
  return { ...found, inputs: [...(found.inputs ?? []), ...variables.map(toInput)] };
}

/** Reads the remotes and packages of a `server.json`. If none can be kept, each refused part is a fault. */
function readParts(server: Json): Found[] {
  const { connections, left } = readServerJson(toObject(withoutGiven(server)));
  const found = connections.map((each): Found => {
    const connection = withoutValues(each);
    return { connection, inputs: [...inputsOf(connection)] };
  });
  return [...found, ...left.map((part) => ({ [found.length > 0 ? 'note' : 'fault']: describeLeft(part) }))];
}

/** A description without what is given as a value; templates name what the user gives. */
function withoutGiven(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutGiven);
  if (typeof value !== 'object' || value === null) return value;
  const isKept = ([name, each]: [string, unknown]) =>
    !/^(?:default|choices|placeholder|.*arguments)$/i.test(name) && (name !== 'value' || String(each).includes('{'));
  const entries = Object.entries(value).filter(isKept);
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutGiven(each)]));
}

/** Reads a connection as the API writes it. */
function readOwn({ headers, environment, ...connection }: Json & { kind: string }): Found {
  const given = headers ?? environment;
  const inputs = Array.isArray(given) ? given.map((each) => toOwnInput(toObject(each))) : [];
  return { connection, inputs };
}

function toOwnInput({ name, description, required, secret }: Json): ConnectionInput {
  const text = typeof name === 'string' ? name : '';
  const described = typeof description === 'string' && description !== '' ? description : text;
  return { name: text, description: described, required: required !== false, secret: secret !== false };
}

/** Finds the servers in a value and in what it holds. */
function readValue(value: unknown, depth = 0): Found[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((each) => readValue(each, depth + 1));
  const given = value as Json;
  if (connectionKinds.some((known) => known === given.kind)) return [readOwn(given as Json & { kind: string })];
  if (Array.isArray(given.remotes) || Array.isArray(given.packages)) return readParts(given);
  if (textAt(given, 'openapi', 'swagger') !== undefined)
    return [{ fault: 'this is an OpenAPI description: write the address at which it is served' }];
  if (textAt(given, ...URLS, 'command') !== undefined) return [readServer(given)];
  return Object.entries(given).flatMap(([name, each]) =>
    [...HEADERS, ...VARIABLES].includes(name) ? [] : readValue(each, depth + 1),
  );
}

/** Reads the JSON at a place: what it says, where it ends, and what may be shown of it. */
export function readJson(text: string, from = 0) {
  const { value, end, masked } = readJsonText(text, from);
  const found = readValue(value);
  if (value === undefined) return { found: [{ fault: 'here this JSON has a mistake' }], end, masked };
  if (found.length > 0) return { found, end, masked };
  return { found: [{ fault: 'this JSON has no server with a url or a command' }], end, masked };
}
