import { hash } from 'node:crypto';
import {
  AGENT_PAGE_PATH,
  KEY_FIELD,
  MANAGE_PARAMETER,
  nameUnknownField,
  postedActions,
  PREFILL_PARAMETER,
  readManagementKey,
  readPostedAction,
  VERSION_FIELD,
  type PostedAction,
} from '@agent-registry/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusalError } from '../../http-error.ts';
import type { Context } from '../../trpc.ts';
import { addFormParser, parseForm } from '../plugins/body-parsers.ts';
import type { PageRenderer, RenderedPage, RenderRequest } from './page-renderer.ts';
import { toAgentPagePath } from './page-urls.ts';

/** Options of `registerForms`. */
export type FormsOptions = {
  loadRenderer: () => Promise<Pick<PageRenderer, 'registerByForm' | 'prefillByForm' | 'manageByForm'>>;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  toOrigin: (request: FastifyRequest) => string;
  /** The canonical path of a home page. */
  toListPath: (request: FastifyRequest) => string;
  /** Creates the request for the page at a URL that responds to a form; its calls have a part of the context of their own. */
  toRenderRequest: (request: FastifyRequest, url: string, own: Partial<Context>) => RenderRequest;
  sendPage: (reply: FastifyReply, page: RenderedPage) => FastifyReply;
};

/** The message for a posted form whose address does not say what the form does. */
const UNKNOWN_ACTION = `${MANAGE_PARAMETER} must be one of ${postedActions.join(', ')}`;

/** Handles the forms that a browser without scripts posts: registrations, and those of an agent's page. */
export function registerForms(scope: FastifyInstance, options: FormsOptions): void {
  const { loadRenderer, toOrigin, toListPath, toRenderRequest, sendPage } = options;
  addFormParser(scope);
  scope.addHook('onRequest', (request, _reply, done) => {
    const detail = 'This form was sent by the page of another site';
    done(isSameOrigin(request) ? undefined : new RefusalError({ status: 403, detail }));
  });

  const isPrefill = ({ query }: FastifyRequest) => Object.hasOwn(query as object, PREFILL_PARAMETER);
  const homeLimit = (request: FastifyRequest) => (isPrefill(request) ? 'prefill' : 'register');
  scope.post('/', { config: { rateLimit: homeLimit } }, (request, reply) =>
    answerForm(request, reply, async (fields) => {
      if (isPrefill(request)) {
        const renderer = await loadRenderer();
        return renderer.prefillByForm(toRenderRequest(request, toListPath(request), {}), fields);
      }
      // A double click posts the same form twice, and a cached page cannot hold a key of its own.
      const idempotencyKey = `form-${hash('sha256', fields.toString(), 'base64url')}`;
      const renderer = await loadRenderer();
      return renderer.registerByForm(toRenderRequest(request, toListPath(request), { idempotencyKey }), fields);
    }),
  );

  const rateLimit = (request: FastifyRequest) => (readAction(request) === 'report' ? 'report' : 'edit');
  scope.post<{ Params: { id: string } }>(AGENT_PAGE_PATH, { config: { rateLimit } }, async (request, reply) => {
    const action = readAction(request);
    if (action === undefined) throw new RefusalError({ status: 400, detail: UNKNOWN_ACTION });
    return answerForm(request, reply, async (fields) => {
      const key = readManagementKey(fields.get(KEY_FIELD) ?? '');
      const version = fields.get(VERSION_FIELD);
      const expected = version === null ? undefined : { updatedAt: version };
      const renderRequest = toRenderRequest(request, toAgentPagePath(request), { key, expected });
      const renderer = await loadRenderer();
      return renderer.manageByForm(renderRequest, { id: request.params.id, action, fields });
    });
  });

  /** Handles a form: redirects, or sends the page with its errors. */
  async function answerForm(
    request: FastifyRequest,
    reply: FastifyReply,
    handle: (fields: URLSearchParams) => ReturnType<PageRenderer['registerByForm']>,
  ): Promise<FastifyReply> {
    const fields = parseForm(request.body);
    const repeated = findRepeated(fields);
    if (repeated !== undefined) {
      const detail = `The form has more than one value for ${nameUnknownField(repeated)}`;
      throw new RefusalError({ status: 400, detail });
    }
    const result = await handle(fields);
    return 'location' in result ? reply.redirect(result.location, 303) : sendPage(reply, result);
  }

  /** Whether a form was posted by one of our own pages, as far as browsers say; scripts say nothing. */
  function isSameOrigin(request: FastifyRequest): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined) return site === 'same-origin' || site === 'none';
    return origin === undefined || origin === toOrigin(request);
  }
}

/** What a posted form of an agent's page does; undefined unless its address names one action. */
function readAction({ query }: FastifyRequest): PostedAction | undefined {
  return readPostedAction((query as Record<string, unknown>)[MANAGE_PARAMETER]);
}

/** The first field with more than one value; no form of the site has one. */
function findRepeated(fields: URLSearchParams): string | undefined {
  const seen = new Set<string>();
  return [...fields.keys()].find((field) => seen.size === seen.add(field).size);
}
