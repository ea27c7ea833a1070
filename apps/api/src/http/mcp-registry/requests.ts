import { isStorable } from '@agent-registry/contracts';
import { z } from 'zod';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RegistryError } from '../../registry-error.ts';
import { type ResponseCache, constantRoute } from '../cache/response-cache.ts';
import openApi from './openapi.json' with { type: 'json' };

const DEFAULT_LIMIT = 30;
const MAX_LIMIT = 100;

/** The last value of a parameter that is sent several times, and none for an empty one, as clients send it. */
const one = z.preprocess(
  (value) => (Array.isArray(value) ? (value as unknown[]).at(-1) : value) || undefined,
  z.string().optional(),
);

const time = z.iso.datetime({ precision: 3 });

/** What a cursor says: the search that it continues, so that clients which drop the search get its next page. */
const cursorSchema = z.strictObject({
  search: z.string().optional(),
  since: time.or(z.literal('')).optional(),
  version: z.string().refine(isStorable).optional(),
  /** The cursor of the search that follows the matches by name; empty for its first page. */
  after: z.string().optional(),
  place: z.strictObject({ at: time, number: z.int(), name: z.int().optional() }).optional(),
});

type ServerCursor = z.infer<typeof cursorSchema>;

export type ServersRequest = ServerCursor & { limit: number };

/** @throws {RegistryError} for an invalid limit, cursor or time; unknown parameters are left out */
export function parseServersRequest(query: unknown): ServersRequest {
  const given = z
    .object({ limit: one, cursor: one, search: one, version: one, updated_since: one, include_deleted: one })
    .parse(query);
  const limit = given.limit === undefined ? DEFAULT_LIMIT : Number(given.limit);
  if (!/^\d+$/.test(given.limit ?? '1') || limit < 1)
    throw invalid(`limit must be a whole number from 1 to ${MAX_LIMIT}`);
  if (given.cursor !== undefined) return { ...readCursor(given.cursor), limit: Math.min(limit, MAX_LIMIT) };
  const since = given.updated_since === undefined ? undefined : readTime(given.updated_since);
  if (!isStorable(given.version ?? '')) throw invalid('version must be latest or a version');
  return {
    limit: Math.min(limit, MAX_LIMIT),
    search: given.search?.trim() || undefined,
    version: given.version === 'latest' ? undefined : given.version,
    // Deleted servers are only in the log of changes.
    since: since ?? (includesDeleted(given.include_deleted) ? '' : undefined),
  };
}

function includesDeleted(value: string | undefined): boolean {
  return /^(?:true|1)$/i.test(value ?? '');
}

export type LookUp = { name: string; version: string | undefined; includesDeleted: boolean };

/** Reads the parameters of a look-up, with the slash of the name escaped or not. */
export function parseLookUp({ params, query }: Pick<FastifyRequest, 'params' | 'query'>): LookUp {
  const { namespace, slug, version, name = `${namespace}/${slug}` } = params as Record<string, string>;
  const { include_deleted: deleted } = z.object({ include_deleted: one }).parse(query);
  return { name, version, includesDeleted: includesDeleted(deleted) };
}

/** Writes a cursor in characters that need no escape: some clients paste it into the address as it is. */
export function writeCursor(cursor: ServerCursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function readCursor(text: string): ServerCursor {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    throw invalid('cursor must be that of a page of this list');
  }
}

function readTime(text: string): string {
  // A plus sign that a client has not escaped is a blank.
  const given = text.replace(/ (?=\d\d:\d\d$)/, '+');
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(given);
  const time = isTime ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(time)) throw invalid('updated_since must be a time with its zone, such as 2026-11-26T18:15:00Z');
  return new Date(time).toISOString();
}

function invalid(message: string): RegistryError {
  return new RegistryError('invalid', message);
}

/** Serves the description of the MCP registry API, by whose version and text ToolHive knows a registry. JSON is YAML. */
export function registerOpenApiYaml(scope: FastifyInstance, cache: ResponseCache): void {
  scope.get(
    '/openapi.yaml',
    constantRoute(cache, 'application/yaml', () => JSON.stringify(openApi, undefined, 2)),
  );
}
