import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { agentIdSchema, LISTS_META, MAX_WHOLE_LIST, REGISTRATION_META } from '@agent-registry/contracts';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AgentStore } from '../agents/agent-store.ts';
import type { ReadyAnswers } from './ready-answers.ts';
import { notFound } from './rest.ts';

/** What the site is served from. */
export type SiteOptions = {
  /** The folder of the built web app. */
  webDir: string;
  /** Its page, as `readPage` reads it. */
  page: string | undefined;
  agents: AgentStore;
  readyAnswers: ReadyAnswers;
  /** Whether nobody can register at present. */
  isRegistrationClosed: boolean;
};

/** The built web app: its page, undefined when it is not built, and an id that no other build has. */
export function readBuild(webDir: string): { page: string | undefined; id: string } {
  const hash = createHash('sha256').update(packageFile.version);
  const files = globSync('**/*.*', { cwd: webDir }).toSorted();
  for (const file of files) hash.update(file).update(readFileSync(join(webDir, file)));
  const page = files.includes('index.html') ? readFileSync(join(webDir, 'index.html'), 'utf8') : undefined;
  return { page, id: hash.digest('base64url').slice(0, 8) };
}

/**
 * Serves the built web app: hashed assets for ever, its page at every path, with 404 where there is nothing to show.
 * The page of a directory that is too large to be read as one list says so, and where nobody can register, that.
 */
export async function registerSite(
  app: FastifyInstance,
  { webDir, page, agents, readyAnswers, isRegistrationClosed }: SiteOptions,
): Promise<void> {
  if (page === undefined) {
    app.log.warn(`There is no built web app in ${webDir}; only the API is served.`);
    app.setNotFoundHandler(notFound);
    return;
  }
  const document = isRegistrationClosed ? addMeta(page, REGISTRATION_META, 'closed') : page;
  const bytes = Buffer.from(document);
  const bytesOfLarge = Buffer.from(addMeta(document, LISTS_META, 'paged'));

  await app.register(async (files) => {
    const ready = readyAnswers.route(() => 'files', true);
    files.addHook('onRoute', (route) => void Object.assign(route, ready));
    await files.register(fastifyStatic, {
      root: webDir,
      // A route for each file that is there, so that every other path is a page.
      wildcard: false,
      index: false,
      globIgnore: ['index.html'],
      setHeaders: (response, file) =>
        response.header(
          'Cache-Control',
          file.startsWith(join(webDir, 'assets')) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        ),
    });
  });

  const ready = readyAnswers.route(() => agents.version());
  app.get('/', ready, (request, reply) => sendPage(request, reply, 200));
  // The page's own router takes a slash at the end as none.
  for (const path of ['/agent/:id', '/agent/:id/']) {
    app.get<{ Params: { id: string } }>(path, ready, async (request, reply) => {
      const id = agentIdSchema.safeParse(request.params.id);
      const agent = id.success ? await agents.find(id.data) : undefined;
      return sendPage(request, reply, agent ? 200 : 404);
    });
  }
  app.setNotFoundHandler((request, reply) =>
    isPageRequest(request) ? sendPage(request, reply, 404) : notFound(request, reply),
  );

  async function sendPage(request: FastifyRequest, reply: FastifyReply, status: 200 | 404): Promise<FastifyReply> {
    const isLarge = await isLargeDirectory(request);
    reply.code(status).type('text/html; charset=utf-8');
    if (status === 404) reply.header('Cache-Control', 'no-store');
    return reply.send(isLarge ? bytesOfLarge : bytes);
  }

  async function isLargeDirectory(request: FastifyRequest): Promise<boolean> {
    try {
      return (await agents.count()) > MAX_WHOLE_LIST;
    } catch (error) {
      // The page can say for itself that nothing can be read; pages are right at any size.
      request.log.error(error);
      return true;
    }
  }
}

function addMeta(page: string, name: string, content: string): string {
  return page.replace('</head>', `<meta name="${name}" content="${content}" /></head>`);
}

function isPageRequest(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}
