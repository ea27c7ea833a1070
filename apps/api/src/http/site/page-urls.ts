import {
  agentIdSchema,
  parseBrowseParams,
  readManageAction,
  toAgentPath,
  toBrowsePath,
  toManagePath,
  type Category,
} from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';

/** The path that every list that cannot be is rendered as: their pages are the same. */
const INVALID_LIST_PATH = '/?sort=invalid';
/** The path that every unknown form of an agent's page is rendered as. */
const INVALID_FORM_PATH = '/agent/any?manage=invalid';

/** Whether a path stands for all those with an invalid parameter, so that its page is cached once. */
export function isInvalidPath(path: string): boolean {
  return path === INVALID_LIST_PATH || path === INVALID_FORM_PATH;
}

/** The canonical path of a home page: that of its list, without unknown parameters and other spellings. */
export function toHomePath(request: FastifyRequest, categories: readonly Category[]): string {
  const list = parseBrowseParams(readQuery(request), categories);
  return list ? toBrowsePath(list) : INVALID_LIST_PATH;
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
