// Configurations of MCP clients, `server.json`, and connections as the API writes them.
import { textAt, toObject, valuesAt, type Json } from '../../json-paths.ts';
import { inputsOf, type ConnectionInput } from '../connection.ts';
import { withoutValues } from '../connection-text.ts';
import { connectionKinds } from '../kinds.ts';
import { readServerJson } from '../read-server-json.ts';
import { describeLeft } from '../server-parts.ts';
import { readJsonText } from './json-text.ts';
import { maskUrl, nameOfAssignment, nameOfHeader } from './mask.ts';
import { readCommand, toInput, toMcpRemote, type Found, type GivenConnection } from './read-command.ts';
import { splitShell } from './shell-words.ts';

const URLS = ['url', 'serverUrl', 'httpUrl'];
const HEADERS = ['headers', 'http_headers', 'httpHeaders', 'env_http_headers'];
const VARIABLES = ['env', 'environment'];

/** The headers or variables of a server. Of a value only the input that VS Code asks for in its place is looked at. */
function readInputs(value: unknown, asked: readonly unknown[]): ConnectionInput[] {
  if (Array.isArray(value)) {
    const names = value.map((item) =>
      typeof item === 'string' ? (nameOfAssignment(item) ?? nameOfHeader(item)) : textAt(item, 'name', 'key'),
    );
    return names.filter((name) => name !== undefined).map(toInput);
  }
  return Object.entries(toObject(value)).map(([name, text]) => {
    const [, id] = /\$\{input:([^{}]*)\}/.exec(String(text)) ?? [];
    const input = toObject(asked.find((each) => id !== undefined && toObject(each).id === id));
    return { ...toInput(name), description: textAt(input, 'description') ?? name, secret: input.password !== false };
  });
}

/** Reads the server of a client's configuration. */
function readServer(server: Json, asked: readonly unknown[]): Found {
  const inputsAt = (names: readonly string[]) => names.flatMap((name) => readInputs(server[name], asked));
  const url = textAt(server, ...URLS);
  if (url !== undefined) {
    const isCard = 'skills' in server || 'protocolVersion' in server;
    if (isCard) return { fault: 'this is an agent card: write the address at which it is served' };
    const transport = textAt(server, 'type', 'transport');
    const named = transport !== undefined && /^(?:sse|http|streamable-?http)$/i.test(transport) ? transport : undefined;
    const bearer = 'bearer_token_env_var' in server ? [toInput('Authorization')] : [];
    return { connection: toMcpRemote(maskUrl(url), named), inputs: [...inputsAt(HEADERS), ...bearer] };
  }
  const words = [server.command, server.args].flat().filter((word) => typeof word === 'string');
  const [first = ''] = words;
  const found = readCommand(words.length === 1 && first.includes(' ') ? (splitShell(first).commands[0] ?? []) : words);
  if (found) return { ...found, inputs: [...(found.inputs ?? []), ...inputsAt(VARIABLES)] };
  const known = 'npx, uvx, docker run or dnx';
  return { fault: `this server is started by a program that the registry does not know: it takes ${known}` };
}

/** Reads the remotes and packages of a `server.json`. If none can be kept, each refused part is a fault. */
function readParts(server: Json): Found[] {
  const { connections, left } = readServerJson(withoutGiven(server));
  const found = connections.map((each): Found => {
    const connection = withoutValues(each);
    return { connection, inputs: [...inputsOf(connection)] };
  });
  return [...found, ...left.map((part) => ({ [found.length > 0 ? 'note' : 'fault']: describeLeft(part) }))];
}

/** A description without what is given as a value; templates name what the user gives. */
function withoutGiven(server: Json): Json {
  const isGiven = (name: string, value: unknown) =>
    /^(?:default|choices|placeholder|.*arguments)$/i.test(name) || (name === 'value' && !String(value).includes('{'));
  const json = JSON.stringify(server, (name, value: unknown) => (isGiven(name, value) ? undefined : value));
  return toObject(JSON.parse(json));
}

/** Reads a connection as the API writes it. */
function readOwn(given: GivenConnection): Found {
  const { headers, environment, ...connection } = withoutValues(given);
  return { connection, inputs: [headers ?? [], environment ?? []].flat().map(toOwnInput) };
}

function toOwnInput(input: unknown): ConnectionInput {
  const { required, secret } = toObject(input);
  const name = textAt(input, 'name') ?? '';
  const description = textAt(input, 'description') ?? name;
  return { name, description, required: required !== false, secret: secret !== false };
}

/** Finds the servers in a value and in what it holds; `asked` is what VS Code asks for. */
function readValue(value: unknown, asked: readonly unknown[] = []): Found[] {
  if (Array.isArray(value)) return value.flatMap((each) => readValue(each, asked));
  // Zed has had a command as an object.
  const { path, ...command } = toObject(toObject(value).command);
  const given: Json = { ...toObject(value), ...(path !== undefined && { ...command, command: path }) };
  if (connectionKinds.some((known) => known === given.kind)) return [readOwn(given as GivenConnection)];
  if (Array.isArray(given.remotes) || Array.isArray(given.packages)) return readParts(given);
  if (textAt(given, 'openapi', 'swagger') !== undefined)
    return [{ fault: 'this is an OpenAPI description: write the address at which it is served' }];
  const inputs = [...asked, ...valuesAt(given, 'inputs')];
  if (textAt(given, ...URLS, 'command') !== undefined) return [readServer(given, inputs)];
  const others = Object.entries(given).filter(([name]) => ![...HEADERS, ...VARIABLES, 'inputs'].includes(name));
  return others.flatMap(([, each]) => readValue(each, inputs));
}

/** Reads the JSON at a place: what it says, where it ends, and what may be shown of it. */
export function readJson(text: string, from = 0) {
  const { value, end, masked } = readJsonText(text, from);
  const found = readValue(value);
  if (found.length > 0) return { found, end, masked };
  const fault = 'this configuration has no server with a url or a command';
  return { found: [{ fault: value === undefined ? 'here this JSON has a mistake' : fault }], end, masked };
}
