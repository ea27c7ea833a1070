import { hash } from 'node:crypto';
import {
  AGENT_PAGE_PATH,
  createManagementKey,
  cutPoints,
  formatCount,
  KEY_FIELD,
  MANAGE_PARAMETER,
  MAX_PASTE_LENGTH,
  MAX_SEARCH_LENGTH,
  nameUnknownField,
  parseBrowseParams,
  PASTE_PARAMETER,
  PASTED_HASH,
  postedActions,
  PREFILL_PARAMETER,
  readManagementKey,
  readPasted,
  readPostedAction,
  toBrowsePath,
  toFirstPage,
  VERSION_FIELD,
  type PostedAction,
} from '@agent-registry/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inTime } from '../../database-error.ts';
import { RefusalError } from '../../http-error.ts';
import type { Surface } from '../api/surface.ts';
import { NO_STORE } from '../cache/response-cache.ts';
import { addFormParser, parseForm } from '../plugins/body-parsers.ts';
import type { PageRenderer } from './page-renderer.ts';
import { toResponse, type PageRendering } from './page-rendering.ts';
import { readHomePage, toAgentPagePath } from './page-urls.ts';

const UNKNOWN_ACTION = `${MANAGE_PARAMETER} must be one of ${postedActions.join(', ')}`;
const TOO_LONG = `The text must have at most ${formatCount(MAX_PASTE_LENGTH)} characters`;
const UNKNOWN_LIST = 'This form asks for a list that does not exist';

/** Handles the forms that a browser without scripts posts: registrations, and those of an agent's page. */
export function registerForms(
  scope: FastifyInstance,
  { createContext, siteConfig, toOrigin }: Surface,
  { loadRenderer, toRenderRequest }: PageRendering,
): void {
  addFormParser(scope);
  scope.addHook('onRequest', (request, _reply, done) => {
    const detail = 'This form was sent by the page of another site';
    done(isSameOrigin(request, toOrigin(request)) ? undefined : new RefusalError({ status: 403, detail }));
  });

  const isPrefill = ({ query }: FastifyRequest) => Object.hasOwn(query as object, PREFILL_PARAMETER);
  const isPaste = ({ query }: FastifyRequest) => Object.hasOwn(query as object, PASTE_PARAMETER);
  const homeLimit = (request: FastifyRequest) =>
    isPrefill(request) ? 'prefill' : isPaste(request) ? 'read' : 'register';
  scope.post('/', { config: { rateLimit: homeLimit, isWrite: true } }, (request, reply) =>
    answerForm(request, reply, async (fields) => {
      if (isPaste(request)) return { location: await toSearchPath(request, fields) };
      if (isPrefill(request)) {
        const renderer = await loadRenderer();
        return renderer.prefillByForm(toRenderRequest(request, toListPath(request)), fields);
      }
      // A double click posts the same form twice, and a cached page cannot hold a key of its own.
      const idempotencyKey = `form-${hash('sha256', fields.toString(), 'base64url')}`;
      const renderer = await loadRenderer();
      const managementKey = createManagementKey();
      const own = { idempotencyKey, newKey: managementKey };
      const renderRequest = toRenderRequest(request, toListPath(request), own);
      return renderer.registerByForm(renderRequest, { fields, managementKey });
    }),
  );

  const rateLimit = (request: FastifyRequest) => (readAction(request) === 'report' ? 'report' : 'edit');
  scope.post<{ Params: { id: string } }>(
    AGENT_PAGE_PATH,
    { config: { rateLimit, isWrite: true } },
    async (request, reply) => {
      const action = readAction(request);
      if (action === undefined) throw new RefusalError({ status: 400, detail: UNKNOWN_ACTION });
      return answerForm(request, reply, async (fields) => {
        const key = readManagementKey(fields.get(KEY_FIELD) ?? '');
        const version = fields.get(VERSION_FIELD);
        const expected = version === null ? undefined : { updatedAt: version };
        const url = toAgentPagePath(request);
        const renderRequest = toRenderRequest(request, url, { key, expected });
        const asOwner = toRenderRequest(request, url, { key, expected }, key);
        const renderer = await loadRenderer();
        return renderer.manageByForm(renderRequest, { id: request.params.id, action, fields, asOwner });
      });
    },
  );

  function toListPath(request: FastifyRequest): string {
    return readHomePage(request, siteConfig.categories).path;
  }

  async function findTellingWords(request: FastifyRequest, text: string): Promise<readonly string[]> {
    const found = await inTime(createContext(request).agents.search({ text, limit: 1 }), request.deadline);
    return found?.telling ?? [];
  }

  async function toSearchPath(request: FastifyRequest, fields: URLSearchParams): Promise<string> {
    const text = (fields.get('q') ?? '').trim();
    const length = Array.from(text).length;
    if (length > MAX_PASTE_LENGTH) throw new RefusalError({ status: 400, detail: TOO_LONG });
    const isLong = length > MAX_SEARCH_LENGTH;
    const telling = isLong ? await findTellingWords(request, text) : [];
    fields.set('q', telling.length > 0 ? telling.join(' ') : cutPoints(text, MAX_SEARCH_LENGTH));
    const list = parseBrowseParams(fields, siteConfig.categories);
    if (!list) throw new RefusalError({ status: 400, detail: UNKNOWN_LIST });
    return toBrowsePath(toFirstPage(list)) + (telling.length > 0 ? PASTED_HASH : '');
  }
}

async function answerForm(
  request: FastifyRequest,
  reply: FastifyReply,
  handle: (fields: URLSearchParams) => ReturnType<PageRenderer['manageByForm']>,
): Promise<FastifyReply> {
  const fields = parseForm(request.body);
  const repeated = findRepeated(fields);
  if (repeated !== undefined) {
    const detail = `The form has more than one value for ${nameUnknownField(repeated)}`;
    throw new RefusalError({ status: 400, detail });
  }
  const connections = fields.get('connections');
  // People paste their tokens. Nothing after this sees them.
  if (connections !== null) fields.set('connections', readPasted(connections).text);
  const result = await handle(fields);
  if ('location' in result) return reply.header('cache-control', NO_STORE).redirect(result.location, 303);
  const { status, headers, body } = toResponse(result);
  const control = [headers['cache-control'], 'no-transform'].filter(Boolean).join(', ');
  return reply
    .code(status)
    .headers({ ...headers, 'cache-control': control })
    .send(body);
}

/** Whether a form was posted by a page of the registry's origin, as far as browsers say; scripts say nothing. */
function isSameOrigin({ headers }: FastifyRequest, own: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === own;
}

function readAction({ query }: FastifyRequest): PostedAction | undefined {
  return readPostedAction((query as Record<string, unknown>)[MANAGE_PARAMETER]);
}

function findRepeated(fields: URLSearchParams): string | undefined {
  const seen = new Set<string>();
  return [...fields.keys()].find((field) => seen.size === seen.add(field).size);
}
