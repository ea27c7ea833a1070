#!/usr/bin/env node
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { escapeInJson, replaceHidden } from '@agent-registry/contracts';
import { createClient, type RegistryClient } from '../create-client.ts';
import { createManagementKey } from '../create-management-key.ts';
import { RestError } from '../rest-error.ts';
import type { Agent, NewAgentInput } from '../contract.ts';
import { readAgentFile } from './agent-file.ts';
import { readPrivateKey, signClaim } from './sign-claim.ts';

const HELP = `Usage: npx @agent-registry/client <command> [file or id] [--registry <url>]

  publish <file>   register the agent of a file, or change its entry as the file says
  diff <file>      print how the entry differs from the file; exit code 1 if it does
  withdraw <file>  withdraw the entry
  claim <id>       make AGENT_REGISTRY_KEY the key of an entry, with the key by which its domain publishes to registries of
                   MCP: --domain <domain> --private-key-file <file>, and --method dns for a key in TXT records
  key              print a new management key

The file has the fields of the registry, or is a server.json or an A2A agent card with an object "agent-registry" for the
category and other fields; a server.json has it in _meta below io.modelcontextprotocol.registry/publisher-provided.

REGISTRY_URL             the address of the registry, without --registry
AGENT_REGISTRY_KEY       the management key of the entry
AGENT_REGISTRY_CONTACT   the contact email, in place of that of the file

Exit codes: 0 success, 1 failure or difference, 2 unknown command or invalid arguments.`;

const HELD_STATUS = 202;

/** A field that a file changes: its value in the registry, and in the file. */
type Difference = { field: string; before: unknown; after: unknown };

/** An error of the user's, with its exit code. */
class UsageError extends Error {
  readonly code: number;

  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}

type Options = ReturnType<typeof readArguments>['values'];
type Call = { registry: RegistryClient; url: string; path: string; options: Options };

const commands: Record<string, (call: Call) => Promise<number>> = { publish, diff, withdraw, claim };

process.exitCode = await main().catch((error: unknown) => {
  const { message, cause, code } = error as UsageError & { cause?: { message?: string } };
  console.error(error instanceof TypeError && cause?.message ? `${message}: ${cause.message}` : message);
  for (const { field, message: fault } of error instanceof RestError ? error.errors : []) {
    console.error(`  ${field}: ${fault}`);
  }
  return typeof code === 'number' ? code : 1;
});

async function main(): Promise<number> {
  const { values, positionals } = readArguments();
  const [name = '', path, ...others] = positionals;
  if (values.help) return say(HELP);
  if (name === 'key') return say(createManagementKey());
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || path === undefined || others.length > 0) throw new UsageError(HELP, 2);
  const url = values.registry ?? process.env.REGISTRY_URL;
  if (!url) throw new UsageError('Name the registry: --registry <url>, or REGISTRY_URL.', 2);
  return command({ registry: createClient({ url }), url: url.replace(/(?<!\/)\/+$/, ''), path, options: values });
}

function readArguments() {
  try {
    const text = { type: 'string' } as const;
    const own = { domain: text, 'private-key-file': text, method: text };
    const options = { registry: text, ...own, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message, 2);
  }
}

async function publish({ registry, url, path }: Call): Promise<number> {
  const key = readKey();
  const file = await readFields(path);
  if (file.id === undefined) return register({ registry, url, path }, key, file);
  const { id } = file;
  const { differences, etag } = await compare(registry, { ...file, id }, key);
  if (differences.length === 0) return say('Nothing has changed.');
  say(describeDifferences(differences));
  const patch = Object.fromEntries(differences.map(({ field, after }) => [field, after]));
  let status = 0;
  const context = { key, ifMatch: etag, onStatus: (given: number) => void (status = given) };
  await registry.agents.update.mutate({ id, ...patch }, { context });
  return say(`${status === HELD_STATUS ? 'The change waits for review' : 'The entry was changed'}: ${url}/agent/${id}`);
}

async function register(
  { registry, url, path }: Omit<Call, 'options'>,
  key: string,
  file: Awaited<ReturnType<typeof readFields>>,
) {
  const newAgent = file.fields as NewAgentInput;
  const { website } = newAgent;
  const [same] = website ? await registry.agents.list.query({ website, limit: 1 }) : [];
  if (same) {
    throw new UsageError(
      `${website} has an entry: ${url}/agent/${same.id}. If it is this agent, write its id into ${path}: "id": "${same.id}".`,
    );
  }
  let status = 0;
  const { id } = await registry.agents.register.mutate(newAgent, {
    context: {
      newKey: key,
      // The same file and key again are the same registration.
      idempotencyKey: createHash('sha256')
        .update(JSON.stringify([key, newAgent]))
        .digest('hex'),
      onStatus: (given) => void (status = given),
    },
  });
  await writeFile(path, file.withId(id));
  const state = status === HELD_STATUS ? 'The registration waits for review' : 'The agent was registered';
  return say(`${state}: ${url}/agent/${id}\nCommit ${path}: its id is how the entry is found from now on.`);
}

async function diff({ registry, path }: Call): Promise<number> {
  const { id, ...file } = await readFields(path);
  if (id === undefined) throw new UsageError(`${path} has no id yet: publish it first.`);
  const { differences } = await compare(registry, { id, ...file }, process.env.AGENT_REGISTRY_KEY || undefined);
  if (differences.length === 0) return say('Nothing differs.');
  say(describeDifferences(differences));
  return 1;
}

async function withdraw({ registry, path }: Call): Promise<number> {
  const key = readKey();
  const { id } = await readAgentFile(path);
  if (id === undefined) throw new UsageError(`${path} has no id: it was not published.`);
  const { name } = await registry.agents.withdraw.mutate({ id }, { context: { key } });
  return say(`${JSON.stringify(name)} was withdrawn. Remove the id from ${path} before it is published again.`);
}

/** Gives an entry the management key, with a signature of the key of its domain. */
async function claim({ registry, url, path: id, options }: Call): Promise<number> {
  const newKey = readKey();
  const { domain, 'private-key-file': file, method = 'http' } = options;
  if (!domain || !file || (method !== 'http' && method !== 'dns')) {
    throw new UsageError('claim needs --domain <domain> and --private-key-file <file>; --method is http or dns.', 2);
  }
  const key = readPrivateKey(await readFile(file, 'utf8'));
  say(`From now on ${url}/agent/${id} is changed with AGENT_REGISTRY_KEY alone: mcp-publisher gets 409 for it.`);
  const { challenge } = await registry.agents.challenge.mutate({ id }, { context: { newKey } });
  const signature = signClaim(key, { origin: url, id, challenge });
  const { name } = await registry.agents.claim.mutate(
    { id, domain, method, challenge, signature },
    { context: { newKey } },
  );
  return say(`${JSON.stringify(name)} has the management key now.`);
}

/** Compares the entry, with a key as its owner has left it, with a file. */
async function compare(
  registry: RegistryClient,
  { id, fields }: { id: string; fields: Partial<NewAgentInput> },
  key: string | undefined,
) {
  let etag: string | undefined;
  const onHeaders = (headers: Headers) => void (etag = headers.get('ETag') ?? undefined);
  const agent = await registry.agents.get.query({ id }, { context: { key, onHeaders } });
  return { differences: findDifferences(agent, fields), etag };
}

async function readFields(path: string) {
  const file = await readAgentFile(path);
  const contactEmail = process.env.AGENT_REGISTRY_CONTACT;
  return { ...file, fields: { ...file.fields, ...(contactEmail && { contactEmail }) } };
}

/** The key comes from the environment only: an argument would be in histories and lists of processes. */
function readKey(): string {
  const key = process.env.AGENT_REGISTRY_KEY;
  if (!key)
    throw new UsageError('AGENT_REGISTRY_KEY is missing: the management key. The command key prints a new one.');
  return key;
}

function say(text: string): 0 {
  console.log(text);
  return 0;
}

/** Finds the fields of a file that the entry has otherwise. Fields that the file leaves out stay as they are. */
function findDifferences(agent: Partial<Agent>, fields: Partial<NewAgentInput>): Difference[] {
  return Object.entries(fields).flatMap(([field, after]) => {
    const before = agent[field as keyof Agent];
    return JSON.stringify(normalize(before)) === JSON.stringify(normalize(after)) ? [] : [{ field, before, after }];
  });
}

/** Describes differences, two lines a field. */
function describeDifferences(differences: readonly Difference[]): string {
  const write = (sign: string, field: string, value: unknown) =>
    isAbsent(value) ? [] : [replaceHidden(`${sign} ${field}: ${JSON.stringify(value)}`, escapeInJson)];
  return differences
    .flatMap(({ field, before, after }) => [...write('-', field, before), ...write('+', field, after)])
    .join('\n');
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A value as the registry stores it: trimmed, with defaults, and its members in one order. */
function normalize(value: unknown): unknown {
  if (isAbsent(value)) return null;
  if (typeof value === 'string') return toAddress(value.trim().replaceAll(/\r\n?/g, '\n'));
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== 'object') return value;
  const isInput = 'name' in (value as object) && 'description' in (value as object);
  const entries = Object.entries({ ...(isInput && { required: true, secret: true }), ...(value as object) });
  return entries
    .filter(([, member]) => !isAbsent(member))
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, member]: [string, unknown]) => [name, normalize(member)]);
}

function toAddress(text: string): string {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? new URL(text).href : text;
}
