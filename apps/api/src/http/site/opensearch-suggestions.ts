import {
  formatCount,
  getCategory,
  OPENSEARCH_SUGGESTIONS_PATH,
  suggestRequestSchema,
  toAgentPath,
  toBrowsePath,
  type SiteConfig,
  type Suggestions,
} from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RegistryError } from '../../registry-error.ts';
import type { ReadsOf } from '../api/public-reads.ts';
import { refuseMethods } from '../api/rest.ts';
import type { ReadVersion, ResponseCache } from '../cache/response-cache.ts';

export type OpenSearchSuggestionsOptions = {
  siteConfig: SiteConfig;
  readsOf: ReadsOf;
  cache: ResponseCache;
  readVersion: ReadVersion;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  toOrigin: (request: FastifyRequest) => string;
};

/** A suggestion: the text that completes what was typed, a note beside it, and the path of its page. */
type Completion = { text: string; note: string; path: string };

/** Serves the suggestions to the search boxes of browsers, as the OpenSearch Suggestions extension has them. */
export function registerOpenSearchSuggestions(
  app: FastifyInstance,
  { siteConfig, readsOf, cache, readVersion, toOrigin }: OpenSearchSuggestionsOptions,
): void {
  app.get(
    OPENSEARCH_SUGGESTIONS_PATH,
    cache.route({
      readVersion,
      parse({ query }) {
        const { data, error } = suggestRequestSchema.safeParse(query);
        if (error) throw new RegistryError('invalid', 'The request is invalid', { cause: error });
        // Browsers drop suggestions for another text than the one that was typed.
        return { ...data, typed: (query as { q: string }).q };
      },
      originOf: toOrigin,
      async produce(request, { q, typed }) {
        const completions = toCompletions(await readsOf(request).read('agents.suggest', { q }), siteConfig);
        const origin = toOrigin(request);
        return {
          headers: { 'content-type': 'application/x-suggestions+json; charset=utf-8' },
          body: JSON.stringify([
            typed,
            completions.map(({ text }) => text),
            completions.map(({ note }) => note),
            completions.map(({ path }) => origin + path),
          ]),
        };
      },
    }),
  );
  app.route({
    method: app.supportedMethods.filter((method) => !['GET', 'HEAD'].includes(method)),
    url: OPENSEARCH_SUGGESTIONS_PATH,
    ...refuseMethods(['GET', 'HEAD']),
  });
}

function toCompletions({ agents, capabilities, categories }: Suggestions, siteConfig: SiteConfig): Completion[] {
  return [
    ...agents.map(({ id, name, category }) => ({
      text: name,
      note: getCategory(siteConfig.categories, category).name,
      path: toAgentPath(id),
    })),
    ...capabilities.map(({ name, agents: count }) => ({
      text: name,
      note: `${formatCount(count)} ${count === 1 ? 'agent' : 'agents'}`,
      path: toBrowsePath({ text: name }),
    })),
    ...categories.map(({ id, name }) => ({ text: name, note: 'Category', path: toBrowsePath({ category: id }) })),
  ];
}
