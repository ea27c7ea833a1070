import { hash } from 'node:crypto';
import {
  createNewAgentSchema,
  describeLeft,
  describeServer,
  editableFields,
  listCategoryIds,
  toCanonicalJson,
  toObject,
  type Agent,
  type Category,
  type Json,
  type NewAgent,
} from '@agent-registry/contracts';
import { z, ZodError } from 'zod';
import { suggestCategory, toWords } from '../prefill/to-values.ts';
import { RegistryError } from '../registry-error.ts';
import { readDocument } from '../servers/server-documents.ts';
import { toLenient } from '../sync/to-new-agent.ts';
import type { Publication } from './publications.ts';

/** Where a `server.json` has what the registry asks besides: the category, the contact and other fields. */
const [PROVIDED, NOTE] = ['io.modelcontextprotocol.registry/publisher-provided', 'agent-registry'];
/** Where it has other fields. */
const PATHS: Record<string, string> = { name: 'title', website: 'websiteUrl', connections: 'remotes' };
/** A version of visible ASCII, and what makes it a range or a tag. */
const [VERSION, RANGE] = [/^[!-~]+$/, /[\^~<>=|*]|(?:^|\.)x(?:\.|$)|^latest$/i];

export type PublishedServer = Pick<Publication, 'name' | 'version' | 'content'> & {
  /** Its description as it was sent; null if it must not be served so. */
  document: string | null;
  /** The fields that it gives, unchecked, and the names of those that its note has. */
  fields: Json;
  noted: readonly string[];
  /** The folded words that suggest a category. */
  words: readonly string[];
};

/** What a `server.json` must have. The one reader of servers takes its parts, and leaves out what cannot be kept. */
const serverSchema = z.looseObject({
  name: z.string().regex(/^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .refine((text) => VERSION.test(text) && !RANGE.test(text), 'It must be one version, such as 1.4.0, and no range'),
});

/** The error of a `server.json` that cannot be published as it is: its cause has the issues, with their places. */
function refuse(...issues: readonly { path: string; message: string }[]): RegistryError {
  const cause = new ZodError(issues.map(({ path, message }) => ({ code: 'custom', path: [path], message, input: '' })));
  return new RegistryError('unprocessable', 'The server.json cannot be published', { cause });
}

/** @throws {RegistryError} `unprocessable` if it is no `server.json`, or has nothing that an entry could show */
export function readPublished(body: unknown, categories: readonly Category[]): PublishedServer {
  const { data, error } = serverSchema.safeParse(body);
  if (error) throw refuse(...error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  const { _meta: meta, ...server } = data;
  // It is called as it is published.
  const { id: _id, serverName: _serverName, ...note } = toObject(toObject(toObject(meta)[PROVIDED])[NOTE]);
  const { document, fault } = readDocument(server);
  if (fault === 'is too large or too deep') throw refuse({ path: '', message: `It ${fault}` });
  const { fields, left } = describeServer(server);
  if (!fields.connections) {
    const reasons = left.map((part) => describeLeft(part)).join('; ');
    throw refuse({ path: 'remotes', message: `No remote and no package of it can be kept here. ${reasons}`.trim() });
  }
  return {
    name: data.name,
    version: data.version,
    content: hash('sha256', toCanonicalJson(data)),
    document: document ? JSON.stringify(server) : null,
    fields: toLenient({ ...fields, ...note }, categories),
    noted: ['category', 'contactEmail', ...Object.keys(note)],
    words: toWords([data.title, data.description, data.name].join(' ')),
  };
}

/**
 * The agent that a server describes, with what its entry has already.
 * @throws {RegistryError} `unprocessable` if a field is missing or wrong
 */
export function toNewAgent(
  { fields, noted, words }: PublishedServer,
  entry: Agent | undefined,
  categories: readonly Category[],
): NewAgent {
  const present = Object.fromEntries(entry ? editableFields.map((field) => [field, entry[field]]) : []) as Json;
  const category = fields.category ?? present.category ?? suggestCategory(categories, words);
  const known = Object.entries({ ...present, ...fields, category }).filter(([, value]) => value !== undefined);
  const { data, error } = createNewAgentSchema(categories).safeParse(Object.fromEntries(known));
  if (data) return data;
  throw refuse(
    ...error.issues.map(({ path: [name = ''], message }) => {
      const field = String(name);
      const path = noted.includes(field) ? `_meta["${PROVIDED}"]["${NOTE}"].${field}` : (PATHS[field] ?? field);
      const isUnknown = field === 'category' && category === null;
      return { path, message: isUnknown ? `Write one of ${listCategoryIds(categories).join(', ')}` : message };
    }),
  );
}
