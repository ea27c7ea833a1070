import type { BrowseParams, SiteConfig } from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import type { PublicRead, PublicReads } from '../../api/public-reads.ts';
import type { ProducedResponse } from '../../cache/response-cache.ts';
import { writeAgent } from './write-agent.ts';
import { writeCompared } from './write-compared.ts';
import { writeHome } from './write-home.ts';
import { MARKDOWN_TYPE } from './prefers-markdown.ts';

/** Options of `createMarkdownPages`. */
export type MarkdownPagesOptions = {
  siteConfig: SiteConfig;
  readsOf: PublicReads;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  toOrigin: (request: FastifyRequest) => string;
};

/** What a page is written from. */
export type MarkdownContext = { siteConfig: SiteConfig; origin: string; read: PublicRead };

/** The pages as Markdown. They reject with the error of a procedure. */
export type MarkdownPages = {
  home(request: FastifyRequest, list: BrowseParams): Promise<ProducedResponse>;
  compare(request: FastifyRequest, ids: readonly string[]): Promise<ProducedResponse>;
  agent(request: FastifyRequest, id: string): Promise<ProducedResponse>;
};

/** Creates the pages as Markdown, from the same procedures as the pages in HTML. */
export function createMarkdownPages({ siteConfig, readsOf, toOrigin }: MarkdownPagesOptions): MarkdownPages {
  return {
    home: (request, list) => respond(request, (context) => writeHome(context, list)),
    compare: (request, ids) => respond(request, (context) => writeCompared(context, ids)),
    async agent(request, id) {
      return { ...(await respond(request, (context) => writeAgent(context, id))), viewOf: id };
    },
  };

  async function respond(
    request: FastifyRequest,
    write: (context: MarkdownContext) => Promise<string[]>,
  ): Promise<ProducedResponse> {
    const blocks = await write({ siteConfig, origin: toOrigin(request), read: readsOf(request) });
    return { headers: { 'content-type': MARKDOWN_TYPE }, body: `${blocks.filter(Boolean).join('\n\n')}\n` };
  }
}
