import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AGENT_PAGE_PATH } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { AgentStore } from '../../agents/agent-store.ts';
import type { Context } from '../../trpc.ts';
import { addFormParser } from '../plugins/body-parsers.ts';
import { callProcedure } from '../api/call-procedure.ts';
import { registerSeo } from './seo.ts';
import { sendError } from '../plugins/error-handler.ts';
import { registerFiles } from './static-files.ts';
import { originOf } from '../plugins/origin.ts';
import type { PageRenderer, RenderRequest, RenderedPage } from './page-renderer.ts';
import { registerOgImages } from './og-images.ts';
import { notFound, type RestOptions } from '../api/rest.ts';

/** The built web app. */
export type Site = {
  /** Its folder. */
  webDir: string;
  /** Its page, into which others are written. */
  template: string;
  renderer: PageRenderer;
};

/** What the site is served with; its pages hold for what the procedures do that they show. */
export type SiteOptions = RestOptions & {
  agents: AgentStore;
  /** Whether nobody can register at present. */
  isRegistrationClosed: boolean;
  /** Where the registry is for its visitors; what their requests say when left out. */
  publicUrl: string | undefined;
};

/** An address at which there is nothing, in place of all others: their pages are the same. */
const NOWHERE = '/404';

/** Opens the built web app; undefined when it is not built. */
export async function openSite(webDir: string): Promise<Site | undefined> {
  const page = join(webDir, 'index.html');
  const entry = join(webDir, 'server', 'entry-server.js');
  if (!existsSync(page) || !existsSync(entry)) return undefined;
  const renderer = (await import(pathToFileURL(entry).href)) as PageRenderer;
  return { webDir, template: readFileSync(page, 'utf8'), renderer };
}

/** Serves the built web app: hashed assets for ever, and at every path a page, with 404 where there is nothing to show. */
export async function registerSite(
  app: FastifyInstance,
  { webDir, template, renderer }: Site,
  { createContext, readyAnswers, versionOf, agents, isRegistrationClosed, publicUrl }: SiteOptions,
): Promise<void> {
  await app.register(async (scope) => registerFiles(scope, webDir, readyAnswers));

  const nowhere = new LRUCache<string, RenderedPage>({ max: 20 });
  const toOrigin = (request: FastifyRequest) => publicUrl ?? originOf(request);
  const readVersion = versionOf('agents.get');
  registerSeo(app, { agents, ready: readyAnswers.route(readVersion), toOrigin });
  registerOgImages(app, { agents, ready: readyAnswers.route(readVersion) });

  app.get('/', readyAnswers.route(versionOf('stats.get')), async (request, reply) =>
    sendPage(reply, await renderer.renderPage(toRenderRequest(request, reply))),
  );
  // The page's own router takes a slash at the end as none.
  for (const path of [AGENT_PAGE_PATH, `${AGENT_PAGE_PATH}/`]) {
    app.get(path, readyAnswers.route(readVersion), async (request, reply) => {
      const page = await renderer.renderPage(toRenderRequest(request, reply));
      // Where the agent is not in the page, the browser's own call of it counts.
      if (page.status === 200 && page.isComplete) {
        const making = readyAnswers.making(request);
        if (making) making.isView = true;
        else createContext(request, reply).countView();
      }
      return sendPage(reply, page);
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return notFound(request, reply);
    return sendPage(reply, await renderNowhere(request, reply));
  });
  await app.register(registerForm);

  /** Takes registrations that a browser without scripts sends. */
  async function registerForm(scope: FastifyInstance): Promise<void> {
    addFormParser(scope);
    scope.post<{ Body: URLSearchParams | undefined }>('/', async (request, reply) => {
      if (!isOwnForm(request)) {
        return sendError(request, reply, { status: 403, detail: 'This form was sent by the page of another site' });
      }
      if (!(request.body instanceof URLSearchParams)) {
        return sendError(request, reply, { status: 415, detail: 'The body must be that of the form' });
      }
      // The second click of a double click sends the same once more, and no cached page can hold a key of its own.
      const idempotencyKey = `form-${hash('sha256', request.body.toString(), 'base64url')}`;
      const answer = await renderer.registerByForm(toRenderRequest(request, reply, { idempotencyKey }), request.body);
      return 'location' in answer ? reply.redirect(answer.location, 303) : sendPage(reply, answer);
    });
  }

  /** The page of what is not there, rendered once for a version of the registry: anybody can make up addresses. */
  async function renderNowhere(request: FastifyRequest, reply: FastifyReply): Promise<RenderedPage> {
    // SQLite's is read at once, and so fails before there is a promise.
    const version = await (async () => readVersion())().catch(() => undefined);
    const key = `${version} ${toOrigin(request)}`;
    const page = nowhere.get(key) ?? (await renderer.renderPage({ ...toRenderRequest(request, reply), url: NOWHERE }));
    if (page.isComplete) nowhere.set(key, page);
    return page;
  }

  function toRenderRequest(request: FastifyRequest, reply: FastifyReply, own: Partial<Context> = {}): RenderRequest {
    return {
      url: request.url,
      origin: toOrigin(request),
      template,
      isRegistrationClosed,
      call: (procedure, input) =>
        callProcedure({ ...createContext(request, reply), ...own }, request, procedure, input),
      countAgents: () => agents.count(),
    };
  }

  /** Whether a form was sent by a page of ours, as far as browsers say; programs say nothing. */
  function isOwnForm(request: FastifyRequest): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined) return site === 'same-origin' || site === 'none';
    return origin === undefined || origin === toOrigin(request);
  }
}

function sendPage(reply: FastifyReply, { status, html, isComplete }: RenderedPage): FastifyReply {
  // What is not complete, or an error, is of use only once.
  if (!isComplete || status !== 200) reply.header('Cache-Control', 'no-store');
  return reply.code(status).type('text/html; charset=utf-8').send(html);
}
