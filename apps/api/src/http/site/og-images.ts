import { extname } from 'node:path';
import { AGENT_PAGE_PATH, cutText, getCategory, listTerms, toAgentMark } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest, RouteShorthandOptionsWithHandler } from 'fastify';
import type { AgentStore } from '../../stores.ts';
import { inTime } from '../../database-error.ts';
import { createPathNotFoundError } from '../../http-error.ts';
import { OverloadError } from '../../registry-error.ts';
import { readAgentId } from '../api/context.ts';
import type { ProducedResponse } from '../cache/entries.ts';
import type { CachedRoute } from '../cache/response-cache.ts';
import { signalOf } from '../plugins/connection.ts';
import type { OgImageContent } from './render-og-image.ts';
import type { Logo } from '../../site-config.ts';
import { createTaskQueue } from '../../rate-limit/task-queue.ts';
import { createWorkerPool } from '../../worker-pool.ts';
import type { Surface } from '../api/surface.ts';

type OgImagesOptions = Pick<Surface, 'siteConfig' | 'cache'> & {
  agents: Pick<AgentStore, 'find' | 'versionsOf'>;
  logo?: Logo | undefined;
  render?: (content: OgImageContent) => Promise<Uint8Array>;
};

/** Longest excerpt of a description, in characters: more than two lines of an image. */
const MAX_EXCERPT_LENGTH = 200;

export function registerOgImages(
  app: FastifyInstance,
  { siteConfig, agents, cache, logo, render = createWorkerRenderer(app) }: OgImagesOptions,
): void {
  const runInTurn = createTaskQueue(1);
  const brand = siteConfig.isCustom ? { brand: { name: siteConfig.name, logo: logo && toDataUrl(logo) } } : {};

  app.get(
    '/picture.png',
    toRoute({
      readVersion: () => 'constant',
      produce: (request) =>
        toResponse(request, {
          name: siteConfig.name,
          heading: siteConfig.subject,
          colour: siteConfig.colour,
        }),
    }),
  );
  app.get(
    `${AGENT_PAGE_PATH}/picture.png`,
    toRoute({
      readVersion: async (id) => (await agents.versionsOf([id])).join(),
      parse: readAgentId,
      async produce(request, id) {
        const agent = await inTime(agents.find(id), request.deadline);
        if (!agent) throw createPathNotFoundError();
        const category = getCategory(siteConfig.categories, agent.category);
        const { name: heading, pictureColour: colour } = category;
        return toResponse(request, {
          name: agent.name,
          description: cutText(agent.description.replaceAll(/\s+/gu, ' '), MAX_EXCERPT_LENGTH),
          terms: listTerms(agent),
          heading,
          colour,
          mark: toAgentMark(agent, category),
        });
      },
    }),
  );

  function toRoute<Value>(route: CachedRoute<Value>): RouteShorthandOptionsWithHandler {
    return {
      ...cache.route({ ...route, readKind: 'picture', isRendered: true }),
      errorHandler(error, request) {
        // A client that disconnected reads no response; this one only ends the request.
        throw request.raw.destroyed ? new OverloadError('The client has disconnected', { cause: error }) : error;
      },
    };
  }

  async function toResponse(request: FastifyRequest, content: OgImageContent): Promise<ProducedResponse> {
    const client = { address: request.ip, signal: signalOf(request) };
    const image = await runInTurn(() => render({ ...content, ...brand }), client);
    return {
      // Other sites show the image.
      headers: { 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' },
      body: Buffer.from(image),
    };
  }
}

function toDataUrl({ type, bytes }: Logo): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** Renders in a worker thread, which starts with the first image and ends when idle. */
function createWorkerRenderer(app: FastifyInstance): (content: OgImageContent) => Promise<Uint8Array> {
  return createWorkerPool(app, {
    // The extension differs in the bundle.
    filename: new URL(`./render-og-image${extname(import.meta.filename)}`, import.meta.url).href,
    name: 'renderOgImage',
    maxThreads: 1,
    // A small heap is collected often, and with it megabytes of pixels outside of it.
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 },
    idleTimeout: 30_000,
  });
}
