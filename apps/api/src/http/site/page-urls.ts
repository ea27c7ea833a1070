import {
  agentIdSchema,
  hasUnknownCategory,
  parseBrowseParams,
  parseCompared,
  readManageAction,
  toAgentPath,
  toBrowsePath,
  toComparePath,
  toManagePath,
  type BrowseParams,
  type Category,
} from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import { RegistryError } from '../../registry-error.ts';
import { readAgentId } from '../api/agent-id.ts';
import { prefersMarkdown } from '../machine/markdown/prefers-markdown.ts';

/** The path that every list that cannot be is rendered as: their pages are the same. */
const INVALID_LIST_PATH = '/?sort=invalid';
/** The path that every list of an unknown category is rendered as; no category has this id. */
const UNKNOWN_CATEGORY_PATH = '/?category=.';
/** The path that every unknown form of an agent's page is rendered as. */
const INVALID_FORM_PATH = '/agent/any?manage=invalid';

/** Whether a path stands for all those with an invalid parameter, so that its page is cached once. */
export function isInvalidPath(path: string): boolean {
  return [INVALID_LIST_PATH, UNKNOWN_CATEGORY_PATH, INVALID_FORM_PATH].includes(path);
}

/** Reads the list of a home page; undefined for a list that cannot be. */
export function readList(request: FastifyRequest, categories: readonly Category[]): BrowseParams | undefined {
  return parseBrowseParams(readQuery(request), categories);
}

/** The canonical path of a home page: that of its comparison or list, without unknown parameters and other spellings. */
export function toHomePath(
  request: FastifyRequest,
  list: BrowseParams | undefined,
  categories: readonly Category[],
): string {
  const compared = parseCompared(readQuery(request));
  if (compared.length > 0) return toComparePath(compared);
  if (list) return toBrowsePath(list);
  return hasUnknownCategory(readQuery(request), categories) ? UNKNOWN_CATEGORY_PATH : INVALID_LIST_PATH;
}

/** A request for the home page: with agents to compare, else with a list. In Markdown it always has one of them. */
export type HomeRequest =
  | { compared: string[]; list?: never; isMarkdown: boolean }
  | { compared?: never; list: BrowseParams; isMarkdown: true }
  | { compared?: never; list: BrowseParams | undefined; isMarkdown: false };

/**
 * Reads a request for the home page.
 * @throws {RegistryError} for a list that cannot be, in Markdown; in HTML there is a page for that
 */
export function readHomeRequest(request: FastifyRequest, categories: readonly Category[]): HomeRequest {
  const isMarkdown = prefersMarkdown(request.raw);
  const compared = parseCompared(readQuery(request));
  if (compared.length > 0) return { compared, isMarkdown };
  const list = readList(request, categories);
  if (!isMarkdown) return { list, isMarkdown };
  if (!list) throw new RegistryError('invalid', 'This address asks for a list that does not exist');
  return { list, isMarkdown };
}

/** A request for the page of an agent: its id in Markdown; in HTML the canonical path, and the id where it is a view. */
export type AgentRequest =
  | { id: string; path?: never; viewed?: never }
  | { id?: never; path: string; viewed: string | undefined };

/**
 * Reads a request for the page of an agent.
 * @throws {RegistryError} for an unknown form and for what is no id, in Markdown; in HTML there are pages for that
 */
export function readAgentRequest(request: FastifyRequest): AgentRequest {
  const path = toAgentPagePath(request);
  if (!prefersMarkdown(request.raw)) return { path, viewed: readViewed(request, path) };
  if (isInvalidPath(path)) throw new RegistryError('invalid', 'This address asks for a form that does not exist');
  return { id: readAgentId(request) };
}

/** The id of the agent of a page that is a view of it; undefined for a form. */
function readViewed({ params }: FastifyRequest, path: string): string | undefined {
  const id = agentIdSchema.safeParse((params as { id: string }).id).data;
  return id !== undefined && path === toAgentPath(id) ? id : undefined;
}

/** The canonical path of an agent's page. */
export function toAgentPagePath(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  const action = readManageAction(readQuery(request));
  if (action === null) return INVALID_FORM_PATH;
  const known = agentIdSchema.safeParse(id).data;
  if (known === undefined) return request.url.split('?', 1)[0] ?? '/';
  return action ? toManagePath(known, action) : toAgentPath(known);
}

function readQuery({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}
