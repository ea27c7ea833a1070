import { readFile } from 'node:fs/promises';
import {
  findTextFault,
  isCategoryId,
  isEmailAddress,
  nameUnknownField,
  type Category,
} from '@agent-registry/contracts';
import { z } from 'zod';

const sourceKinds = ['mcp-registry', 'agent-registry'] as const;

/** The category of a map that stands for all others. */
export const ANY_CATEGORY = '*';

const NAME = 'must be 1 to 40 lower-case letters, digits and hyphens, and start with a letter';
const ADDRESS = 'must be an https address without a user name and fragment, and without a port unless allow names it';
const ALLOWED = 'must be a list of host names with a port, such as registry.intranet:8443';
const EMAIL = 'must be an address such as name@example.com';
const MAX_LINE = 100;

const lineSchema = z
  .string(`must be one line of 1 to ${MAX_LINE} characters`)
  .trim()
  .refine((text) => findTextFault(text, { max: MAX_LINE, isLine: true }) === undefined, {
    error: ({ input }) => findTextFault(input as string, { max: MAX_LINE, isLine: true }),
  });

const sourceSchema = z.strictObject(
  {
    /** Names the source in the database: another name is another source. */
    name: z.string(NAME).regex(/^[a-z][a-z\d-]{0,39}$/, NAME),
    kind: z.enum(sourceKinds, `must be one of ${sourceKinds.join(', ')}`),
    address: z.string(ADDRESS),
    /** The host and port of its own pages, if these are not public or not on port 443. */
    allow: z
      .array(z.string(ALLOWED).regex(/^(?=.*[a-z])[a-z\d-]+(?:\.[a-z\d-]+)*:\d{1,5}$/, ALLOWED), ALLOWED)
      .default([]),
    /** Their categories and those of this registry; `*` stands for all that are not named. */
    categories: z.record(z.string(), z.string('must be a category'), 'must be an object').default({}),
    /** Whether the names of its MCP servers are those of the servers here. */
    names: z.boolean('must be true or false').default(false),
    /** The contact address of its entries until somebody claims them. */
    contact: z.string(EMAIL).refine(isEmailAddress, EMAIL),
    licence: lineSchema,
    /** The source as people read it. */
    attribution: lineSchema,
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has the unknown field ${issue.keys.map(nameUnknownField).join(', ')}`
        : 'must be an object',
  },
);

export type Source = z.infer<typeof sourceSchema>;

/** @throws {SourceError} with a sentence that names the field */
export async function readSources(path: string, categories: readonly Category[]): Promise<Source[]> {
  const { data, error } = createFileSchema(categories).safeParse(parse(await readFile(path, 'utf8'), path));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const [index, ...field] = issue?.path ?? [];
  const place = index === undefined ? path : `${path}: source ${Number(index) + 1}`;
  throw new SourceError(`${[place, field.map(String).join('.')].filter(Boolean).join(', ')} ${issue?.message}.`);
}

function createFileSchema(categories: readonly Category[]) {
  const ids = categories.map(({ id }) => id).join(', ');
  return z
    .array(
      sourceSchema.superRefine((source, context) => {
        for (const [theirs, ours] of Object.entries(source.categories)) {
          if (isCategoryId(categories, ours)) continue;
          context.addIssue({ code: 'custom', path: ['categories', theirs], message: `must be one of ${ids}` });
        }
        if (!isSourceAddress(source)) context.addIssue({ code: 'custom', path: ['address'], message: ADDRESS });
        if (source.names && source.kind !== 'mcp-registry') {
          context.addIssue({ code: 'custom', path: ['names'], message: 'is for an MCP registry only' });
        }
        if (source.kind === 'mcp-registry' && !(ANY_CATEGORY in source.categories)) {
          const message = `must have ${ANY_CATEGORY}: an MCP registry has no categories`;
          context.addIssue({ code: 'custom', path: ['categories'], message });
        }
      }),
      'must be a JSON array of sources',
    )
    .min(1, 'must have a source')
    .refine((sources) => new Set(sources.map(({ name }) => name)).size === sources.length, {
      error: 'must have sources of different names',
    });
}

function parse(text: string, path: string): unknown {
  try {
    // With a byte order mark, as some editors write it.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new SourceError(`${path} is not valid JSON.`, { cause });
  }
}

function isSourceAddress({ address, allow }: Pick<Source, 'address' | 'allow'>): boolean {
  const url = URL.parse(address);
  const isAllowed = url?.port === '' || allow.includes(`${url?.hostname}:${url?.port}`);
  return url?.protocol === 'https:' && isAllowed && url.username + url.password + url.hash === '';
}

/** A source that cannot be synchronised; the message is a sentence for the operator. */
export class SourceError extends Error {}
