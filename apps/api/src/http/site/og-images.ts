import {
  AGENT_PAGE_PATH,
  agentIdSchema,
  BRAND,
  BRAND_COLOUR,
  getCategory,
  type Category,
} from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { AgentStore } from '../../agents/agent-store.ts';
import { renderOgImage, type OgImageContent } from './render-og-image.ts';
import { createPathNotFoundError } from '../../http-error.ts';
import type { ProducedResponse, ReadVersion, ResponseCache } from '../cache/response-cache.ts';

/** How many pictures are kept, of some 30 kB each. */
const MAX_KEPT = 200;

const colours: Record<Category['colour'], string> = {
  blue: '#1971c2',
  green: '#2b8a3e',
  purple: '#763bc4',
  orange: '#d9480f',
  red: '#c92a2a',
  indigo: '#3b5bdb',
};

/** What the Open Graph images are served with. */
export type OgImagesOptions = {
  agents: Pick<AgentStore, 'find'>;
  cache: ResponseCache;
  readVersion: ReadVersion;
};

/** Serves the Open Graph images of the agents and of the registry. */
export function registerOgImages(app: FastifyInstance, { agents, cache, readVersion }: OgImagesOptions): void {
  const kept = new LRUCache<string, Promise<Buffer>>({ max: MAX_KEPT });

  app.get(
    '/picture.png',
    cache.route({
      readVersion: () => 'constant',
      produce: () =>
        toResponse({ title: BRAND, subtitle: 'AI agents, bots and automation tools', colour: BRAND_COLOUR }),
    }),
  );
  app.get(
    `${AGENT_PAGE_PATH}/picture.png`,
    cache.route({
      readVersion,
      async produce({ params }) {
        const id = agentIdSchema.safeParse((params as { id: string }).id);
        const agent = id.success ? await agents.find(id.data) : undefined;
        if (!agent) throw createPathNotFoundError();
        const { name, colour } = getCategory(agent.category);
        return toResponse({ title: agent.name, subtitle: name, colour: colours[colour] });
      },
    }),
  );

  async function toResponse(content: OgImageContent): Promise<ProducedResponse> {
    return {
      // Other sites show the image.
      headers: { 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' },
      body: await keep(content),
    };
  }

  /** The picture of a content, drawn once for all who ask while it is kept. */
  function keep(content: OgImageContent): Promise<Buffer> {
    const key = JSON.stringify(content);
    const picture = kept.get(key) ?? renderOgImage(content);
    kept.set(key, picture);
    picture.catch(() => kept.delete(key));
    return picture;
  }
}
