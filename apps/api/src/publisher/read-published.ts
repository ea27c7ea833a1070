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
import type { PublishedServer } from './publication-store.ts';

/** Where a `server.json` has what the registry asks besides: the category, the contact and other fields. */
const [PROVIDED, NOTE] = ['io.modelcontextprotocol.registry/publisher-provided', 'agent-registry'];
const NOTE_PATH = `_meta["${PROVIDED}"]["${NOTE}"]`;
/** Where it has other fields. */
const PATHS: Record<string, string> = { name: 'title', website: 'websiteUrl', connections: 'remotes' };
/** A version of visible ASCII, and what makes it a range or a tag. */
const [VERSION, RANGE] = [/^[!-~]+$/, /[\^~<>=|*]|(?:^|\.)x(?:\.|$)|^latest$/i];

/** What is wrong with a part of a `server.json`. */
export type ServerIssue = { path: string; message: string };

/** The error of a `server.json` that cannot be published as it is: its cause has the issues, with their places. */
function invalid(...issues: readonly ServerIssue[]): RegistryError {
  const cause = new ZodError(issues.map(({ path, message }) => ({ code: 'custom', path: [path], message, input: '' })));
  return new RegistryError('unprocessable', 'The server.json cannot be published', { cause });
}

/** What a `server.json` must have. The one reader of servers takes its parts, and leaves out what cannot be kept. */
const serverSchema = z.looseObject({
  name: z.string().regex(/^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
});

/**
 * Reads a `server.json`.
 * @throws {RegistryError} `unprocessable` if it is none, or has nothing that an entry could show
 */
export function readPublished(body: unknown, categories: readonly Category[]): PublishedServer {
  const { data, error } = serverSchema.safeParse(body);
  if (error) throw invalid(...error.issues.map(({ path, message }) => ({ path: toPath(path), message })));
  const { name, version } = data;
  if (!VERSION.test(version) || RANGE.test(version)) {
    throw invalid({ path: 'version', message: 'It must be one version, such as 1.4.0, and no range' });
  }
  const { _meta: meta, ...server } = data;
  // It is called as it is published.
  const { id: _id, serverName: _serverName, ...note } = toObject(toObject(toObject(meta)[PROVIDED])[NOTE]);
  const { document, fault } = readDocument(server);
  if (fault === 'is too large or too deep') throw invalid({ path: '', message: `It ${fault}` });
  const { fields, left } = describeServer(server);
  if (!fields.connections) {
    const reasons = left.map((part) => describeLeft(part)).join('; ');
    throw invalid({ path: 'remotes', message: `No remote and no package of it can be kept here. ${reasons}`.trim() });
  }
  const given = toLenient({ ...fields, ...note }, categories);
  const words = toWords([data.title, data.description, name].join(' '));
  return {
    name,
    version,
    content: hash('sha256', toCanonicalJson(data)),
    document: document ? JSON.stringify(server) : null,
    readAgent: (entry) => toAgent({ given, words, isNoted: (field) => Object.hasOwn(note, field) }, entry, categories),
  };
}

function toAgent(
  { given, words, isNoted }: { given: Json; words: readonly string[]; isNoted: (field: string) => boolean },
  entry: Agent | undefined,
  categories: readonly Category[],
): NewAgent {
  const present = Object.fromEntries(entry ? editableFields.map((field) => [field, entry[field]]) : []) as Json;
  const category = given.category ?? present.category ?? suggestCategory(categories, words);
  const known = Object.entries({ ...present, ...given, category }).filter(([, value]) => value !== undefined);
  const { data, error } = createNewAgentSchema(categories).safeParse(Object.fromEntries(known));
  if (data) return data;
  throw invalid(
    ...error.issues.map(({ path: [field = ''], message }) => {
      const isOfNote = field === 'category' || field === 'contactEmail' || isNoted(String(field));
      if (field === 'category' && category === null) {
        return { path: `${NOTE_PATH}.category`, message: `Write one of ${listCategoryIds(categories).join(', ')}` };
      }
      const path = isOfNote ? `${NOTE_PATH}.${String(field)}` : (PATHS[String(field)] ?? String(field));
      return { path, message };
    }),
  );
}

/** A path as people write it, such as `packages[0].version`. */
function toPath(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}
