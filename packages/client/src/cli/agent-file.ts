import { readFile } from 'node:fs/promises';
import {
  describeCard,
  describeServer,
  isAgentCard,
  toObject,
  type Json,
  type LeftPart,
} from '@agent-registry/contracts';
import type { NewAgentInput } from '../contract.ts';

export type AgentFile = {
  /** The id of its entry; undefined before it is published. */
  id: string | undefined;
  fields: Partial<NewAgentInput>;
  left: readonly LeftPart[];
  /** The text of the file with the id of its entry, or without one. */
  withId: (id: string | undefined) => string;
};

/** Where other formats keep what they have no field for: the id, the category and other fields of the registry. */
const NOTE = 'agent-registry';
/** Where a `server.json` keeps what its publisher adds. */
const PROVIDED = 'io.modelcontextprotocol.registry/publisher-provided';

/** The most objects below a file in which a description is looked for. */
const MAX_WRAPPED = 20;

/**
 * Reads a file: the fields of the registry, a `server.json`, or an A2A agent card, also below a name or in a list.
 * @throws {Error} if it is no JSON object
 */
export async function readAgentFile(path: string): Promise<AgentFile> {
  // Some editors write a byte order mark.
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  const json = parse(path, text);
  const candidates = [json, ...Object.values(toObject(json))].flat().slice(0, MAX_WRAPPED).map(toObject);
  const found = candidates.find((each) => isServer(each) || isAgentCard(each));
  if (!found && toObject(json) !== json) throw new Error(`${path} must be a JSON object.`);
  const target = (found ?? json) as Record<string, unknown>;
  const { fields, left } = !found
    ? { fields: {}, left: [] }
    : isServer(found)
      ? describeServer(found)
      : describeCard(found);
  const holders = !found ? [] : isServer(found) ? ['_meta', PROVIDED, NOTE] : [NOTE];
  const { id, $schema: _, ...own } = holders.reduce((each, name) => toObject(each[name]), target as Json);
  return {
    id: typeof id === 'string' ? id : undefined,
    fields: { ...fields, ...own },
    left: left.filter(({ path: [field] }) => !Object.hasOwn(own, isList(field) ? 'connections' : String(field))),
    withId(given) {
      const note = holders.reduce(
        (each, name) => (each[name] = toObject(each[name])) as Record<string, unknown>,
        target,
      );
      const { $schema, id: __, ...rest } = note;
      for (const name of Object.keys(note)) delete note[name];
      Object.assign(note, $schema !== undefined && { $schema }, given !== undefined && { id: given }, rest);
      const indent = /^[\t ]+(?=")/m.exec(text)?.[0] ?? 2;
      return `${JSON.stringify(json, undefined, indent)}\n`;
    },
  };
}

function isList(field: unknown): boolean {
  return field === 'remotes' || field === 'packages';
}

function isServer({ packages, remotes }: Json): boolean {
  return Array.isArray(packages) || Array.isArray(remotes);
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is no JSON.`, { cause });
  }
}
