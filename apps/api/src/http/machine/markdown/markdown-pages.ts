import type { BrowseParams, ReadName, SiteConfig } from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import type { ProcedureResponse, RunProcedure } from '../../../router.ts';
import { NO_STORE } from '../../../trpc.ts';
import type { CreateContext } from '../../api/context.ts';
import type { ProducedResponse } from '../../cache/response-cache.ts';
import { writeAgent } from './write-agent.ts';
import { writeCompared } from './write-compared.ts';
import { writeHome } from './write-home.ts';
import { MARKDOWN_TYPE } from './prefers-markdown.ts';

/** Options of `createMarkdownPages`. */
export type MarkdownPagesOptions = {
  siteConfig: SiteConfig;
  createContext: CreateContext;
  runProcedure: RunProcedure;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  toOrigin: (request: FastifyRequest) => string;
};

/** What a page is written from. */
export type MarkdownContext = {
  siteConfig: SiteConfig;
  origin: string;
  /** Runs a procedure that reads. */
  read: (procedure: ReadName, input?: unknown) => Promise<ProcedureResponse>;
};

/** The pages as Markdown. They reject with the error of a procedure. */
export type MarkdownPages = {
  home(request: FastifyRequest, list: BrowseParams): Promise<ProducedResponse>;
  compare(request: FastifyRequest, ids: readonly string[]): Promise<ProducedResponse>;
  agent(request: FastifyRequest, id: string): Promise<ProducedResponse>;
};

/** Creates the pages as Markdown, from the same procedures as the pages in HTML. */
export function createMarkdownPages(options: MarkdownPagesOptions): MarkdownPages {
  const { siteConfig, createContext, runProcedure, toOrigin } = options;
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
    // A page looks the same to everybody, so no read is the owner's.
    const callContext = { ...createContext(request), key: undefined };
    const responses: ProcedureResponse[] = [];
    const blocks = await write({
      siteConfig,
      origin: toOrigin(request),
      async read(procedure, input) {
        const response = await runProcedure(procedure, callContext, input);
        responses.push(response);
        return response;
      },
    });
    const isReusable = responses.every(({ headers }) => headers['Cache-Control'] !== NO_STORE);
    return {
      headers: { 'content-type': MARKDOWN_TYPE, ...(!isReusable && { 'cache-control': NO_STORE }) },
      body: `${blocks.filter(Boolean).join('\n\n')}\n`,
      isReusable,
    };
  }
}
