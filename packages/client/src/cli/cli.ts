#!/usr/bin/env node
import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import * as http from 'node:http';
import { parseArgs } from 'node:util';
import { describeLeft } from '@agent-registry/contracts';
import { createClient, createManagementKey, RestError, type NewAgentInput, type RegistryClient } from '../index.ts';
import { readAgentFile } from './agent-file.ts';
import { describeDifferences, findDifferences, toPlain } from './differences.ts';
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
HTTPS_PROXY, NO_PROXY    a proxy, and hosts without one; with Node 24.14 or newer

Exit codes: 0 success, 1 failure or difference, 2 unknown command or invalid arguments.`;

const HELD_STATUS = 202;
const CHANGED_STATUS = 412;
/** Of a key that is another one, and of an entry that is gone. */
const REFUSED_STATUSES = [401, 404, 410];
const MAX_ATTEMPTS = 5;

type File = Awaited<ReturnType<typeof readFields>>;

class UsageError extends Error {
  readonly code: number;

  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}

type Call = {
  registry: RegistryClient;
  url: string;
  /** A file, or the id of an entry. */
  path: string;
  options: ReturnType<typeof readArguments>['values'];
};

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
  useProxy();
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

/** Uses the proxy that the environment names, which older versions of Node cannot. */
function useProxy(): void {
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: () => unknown };
  if (setGlobalProxyFromEnv) setGlobalProxyFromEnv();
  else if (process.env.HTTPS_PROXY ?? process.env.https_proxy) {
    console.error('The proxy of HTTPS_PROXY is not used: that needs Node 24.14 or newer.');
  }
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

async function publish(call: Call): Promise<number> {
  const { registry, url, path } = call;
  const key = readKey();
  const file = await readFields(path);
  const id = file.id ?? (await findOwn(call, key, file));
  if (id === undefined) return register(call, key, file);
  if (file.id === undefined) await save(path, file.withId(id));
  for (let attempt = 1; ; attempt++) {
    const { differences, etag } = await compare(registry, { ...file, id }, key);
    if (differences.length === 0) return say('Nothing has changed.');
    const patch = Object.fromEntries(differences.map(({ field, after }) => [field, after]));
    let status = 0;
    const context = { key, ifMatch: etag, onStatus: (given: number) => void (status = given) };
    try {
      await registry.agents.update.mutate({ id, ...patch }, { context });
    } catch (error) {
      // Another run was faster, perhaps with the same changes.
      if (hasStatus(error, CHANGED_STATUS) && attempt < MAX_ATTEMPTS) continue;
      throw error;
    }
    say(describeDifferences(differences));
    const state = status === HELD_STATUS ? 'The change waits for review' : 'The entry was changed';
    return say(`${state}: ${url}/agent/${id}`);
  }
}

/** The entry with the website of a file that the key opens, such as one that another run has just registered. */
async function findOwn({ registry, url }: Call, key: string, { fields }: File): Promise<string | undefined> {
  const { website } = fields;
  const same = website ? await registry.agents.list.query({ website, limit: 10 }) : [];
  for (const { id } of same) if (!(await isRefused(registry, id, key))) return id;
  const [other] = same;
  if (!other) return undefined;
  throw new UsageError(
    `${website} has an entry with another key: ${url}/agent/${other.id}. If it is this agent, use its key, or claim it on its page.`,
  );
}

async function isRefused(registry: RegistryClient, id: string, key: string): Promise<boolean> {
  try {
    await registry.agents.get.query({ id }, { context: { key } });
    return false;
  } catch (error) {
    if (hasStatus(error, ...REFUSED_STATUSES)) return true;
    throw error;
  }
}

function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof RestError && statuses.includes(error.status);
}

/** @param before the withdrawn entry of an earlier registration that was the same */
async function register(call: Call, key: string, file: File, before = ''): Promise<number> {
  const { registry, url, path } = call;
  const newAgent = file.fields as NewAgentInput;
  let status = 0;
  const { id } = await registry.agents.register.mutate(newAgent, {
    context: {
      newKey: key,
      // The same file and key again are the same registration.
      idempotencyKey: createHash('sha256')
        .update(JSON.stringify([key, newAgent, before]))
        .digest('hex'),
      onStatus: (given) => void (status = given),
    },
  });
  if (await isRefused(registry, id, key)) return register(call, key, file, id);
  await save(path, file.withId(id));
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
  const file = await readAgentFile(path);
  if (file.id === undefined) throw new UsageError(`${path} has no id: it was not published.`);
  const { name } = await registry.agents.withdraw.mutate({ id: file.id }, { context: { key } });
  await save(path, file.withId(undefined));
  return say(`${JSON.stringify(name)} was withdrawn. Commit ${path}, which has no id any more.`);
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
  const signature = signClaim(key, { origin: new URL(url).origin, id, challenge });
  const { name } = await registry.agents.claim.mutate(
    { id, domain, method, challenge, signature },
    { context: { newKey } },
  );
  return say(`${JSON.stringify(name)} has the management key now.`);
}

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
  for (const part of file.left) console.error(toPlain(`Not taken from ${path}: ${describeLeft(part)}.`));
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

/** Replaces a file at once: another run may be reading it. */
async function save(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, path);
}

function say(text: string): 0 {
  console.log(text);
  return 0;
}
