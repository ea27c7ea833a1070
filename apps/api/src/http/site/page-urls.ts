import {
  agentIdSchema,
  allAgentsRequestSchema,
  createFacetsRequestSchema,
  hasUnknownCategory,
  parseBrowseParams,
  parseCompared,
  parseShared,
  readManageAction,
  toAgentPath,
  toBrowsePath,
  toComparePath,
  toManagePath,
  toSharedPath,
  type BrowseParams,
  type Category,
} from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import { parseRequest, RegistryError } from '../../registry-error.ts';
import { readAgentId } from '../api/context.ts';
import { prefersMarkdown } from '../plugins/headers.ts';

// The paths as which all addresses with such a fault are rendered: their pages are the same.
const INVALID_LIST_PATH = '/?sort=invalid';
const UNKNOWN_CATEGORY_PATH = '/?category=.';
const INVALID_FORM_PATH = '/agent/any?manage=invalid';
const NO_AGENT_PATH = '/agent/any';
export const UNKNOWN_PATH = '/404';
const invalidPaths = new Set([
  INVALID_LIST_PATH,
  UNKNOWN_CATEGORY_PATH,
  INVALID_FORM_PATH,
  NO_AGENT_PATH,
  UNKNOWN_PATH,
]);

/** Whether a path stands for all those with an invalid part, so that its page is cached once. */
export function isInvalidPath(path: string): boolean {
  return invalidPaths.has(path);
}

/** A home page: its canonical path, and its comparison, shared list or list; none of them if its list cannot be. */
export type HomePage = { path: string } & (
  | { compared: string[]; shared?: never; list?: never }
  | { compared?: never; shared: string[]; list?: never }
  | { compared?: never; shared?: never; list?: BrowseParams }
);

export function readHomePage(request: FastifyRequest, categories: readonly Category[]): HomePage {
  const query = readQuery(request);
  const compared = parseCompared(query);
  if (compared.length > 0) return { path: toComparePath(compared), compared };
  const shared = parseShared(query);
  if (shared) return { path: toSharedPath(shared), shared };
  const list = parseBrowseParams(query, categories);
  if (list) return { path: toBrowsePath(list), list };
  return { path: hasUnknownCategory(query, categories) ? UNKNOWN_CATEGORY_PATH : INVALID_LIST_PATH };
}

/** @throws {RegistryError} for a list that cannot be, in Markdown; in HTML there is a page for that */
export function readHomeRequest(
  request: FastifyRequest,
  categories: readonly Category[],
): HomePage & { isMarkdown: boolean } {
  const page = readHomePage(request, categories);
  const isMarkdown = prefersMarkdown(request.raw);
  if (isMarkdown && isInvalidPath(page.path)) {
    // Calls have a sentence for each parameter; pages take a few more.
    for (const schema of [createFacetsRequestSchema(categories), allAgentsRequestSchema]) {
      parseRequest(schema, request.query);
    }
    throw new RegistryError('invalid', 'This address asks for a list that does not exist');
  }
  return { ...page, isMarkdown };
}

/** A request for the page of an agent: its id in Markdown; in HTML the canonical path, and the id if it is one. */
type AgentRequest = { id: string; path?: never } | { id: string | undefined; path: string };

/** @throws {RegistryError} in Markdown for an unknown form and for what is no id; in HTML there are pages for that */
export function readAgentRequest(request: FastifyRequest): AgentRequest {
  const path = toAgentPagePath(request);
  if (!prefersMarkdown(request.raw)) {
    return { id: agentIdSchema.safeParse((request.params as { id: string }).id).data, path };
  }
  if (path === INVALID_FORM_PATH) {
    throw new RegistryError('invalid', 'This address asks for a form that does not exist');
  }
  return { id: readAgentId(request) };
}

export function toAgentPagePath(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  // Fastify takes it for an empty id, the page's own router does not.
  if (id === '') return UNKNOWN_PATH;
  const action = readManageAction(readQuery(request));
  if (action === null) return INVALID_FORM_PATH;
  const known = agentIdSchema.safeParse(id).data;
  if (known === undefined) return NO_AGENT_PATH;
  return action ? toManagePath(known, action) : toAgentPath(known);
}

function readQuery({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}
