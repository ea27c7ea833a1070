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
import type { ReadyRoute } from '../cache/response-cache.ts';
import { notFound } from '../api/rest.ts';

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

/**
 * Serves the pictures by which pages are shown where somebody links to them: one of each agent, and one of the registry.
 * @param ready makes answers that hold until agents change ready ones
 */
export function registerOgImages(
  app: FastifyInstance,
  { agents, ready }: { agents: Pick<AgentStore, 'find'>; ready: ReadyRoute },
): void {
  const kept = new LRUCache<string, Promise<Buffer>>({ max: MAX_KEPT });

  app.get('/picture.png', ready, async (_request, reply) =>
    sendPicture(reply, { title: BRAND, subtitle: 'AI agents, bots and automation tools', colour: BRAND_COLOUR }),
  );
  app.get<{ Params: { id: string } }>(`${AGENT_PAGE_PATH}/picture.png`, ready, async (request, reply) => {
    const id = agentIdSchema.safeParse(request.params.id);
    const agent = id.success ? await agents.find(id.data) : undefined;
    if (!agent) return notFound(request, reply);
    const { name, colour } = getCategory(agent.category);
    return sendPicture(reply, { title: agent.name, subtitle: name, colour: colours[colour] });
  });

  async function sendPicture(reply: Reply, content: OgImageContent) {
    const png = await keep(content);
    // Made to be shown by the pages of others.
    return reply.header('Cross-Origin-Resource-Policy', 'cross-origin').type('image/png').send(png);
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

type Reply = Parameters<typeof notFound>[1];
