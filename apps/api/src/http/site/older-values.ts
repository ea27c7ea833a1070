import {
  AGENT_PAGE_PATH,
  MAX_PAGE_BYTES,
  MAX_SHOWN_TOOLS,
  type EndpointName,
  type EntryFacts,
  type ListedAgent,
  type Page,
} from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { toHttpError } from '../../http-error.ts';
import { logError } from '../../observability/logger.ts';
import type { Context } from '../../trpc.ts';
import type { CallResult, RenderRequest } from './page-renderer.ts';

const counts = new Set<EndpointName>(['stats.get', 'agents.facets']);
const similar = new Set<EndpointName>(['agents.search', 'agents.byCategory']);

/** The present hour, after which pages show new figures. */
export function toHour(): number {
  return Math.floor(Date.now() / 3_600_000);
}

/** A value of a call in an hour; of agents only their ids. */
type Kept = { hour: number; data: unknown; ids: readonly string[] };

/** Lets a page show values of up to an hour ago, so that it does not change with every agent of the registry. */
export function createOlderValues() {
  const kept = new LRUCache<string, Kept>({ max: 1_000 });

  /** Returns the calls of a page, and the list that they fill with the other agents it shows. */
  return (request: FastifyRequest, url: string, agents: Context['agents'], call: RenderRequest['call']) => {
    const others: { id: string; version: string }[] = [];
    const isOfAgent = url.startsWith(AGENT_PAGE_PATH.replace(':id', ''));
    return { others, call: url === '/' ? call : callOlder };

    async function callOlder(...[procedure, input]: Parameters<RenderRequest['call']>): Promise<CallResult> {
      if (isOfAgent && procedure === 'agents.facts') return withNamed(await call(procedure, input));
      const isSimilar = isOfAgent && similar.has(procedure);
      if (!isSimilar && !counts.has(procedure)) return call(procedure, input);
      const key = JSON.stringify([procedure, input]);
      const hour = toHour();
      let value = kept.get(key);
      if (value?.hour !== hour) {
        const result = await call(procedure, input);
        if ('failure' in result || request.isProvisional) return result;
        const { agents: found, ...rest } = result.data as Partial<Page>;
        value = { hour, data: rest, ids: found?.map(({ id }) => id) ?? [] };
        kept.set(key, value);
      }
      return isSimilar ? withAgents(value) : { data: value.data };
    }

    function withAgents({ data, ids }: Kept): Promise<CallResult> {
      return withOthers(ids, (found) => ({ ...(data as Page), agents: found }));
    }

    async function withNamed(result: CallResult): Promise<CallResult> {
      if ('failure' in result) return result;
      const { besides = [], offers, ...rest } = result.data as EntryFacts;
      const shown = offers?.map(({ tools, ...offer }) => ({ ...offer, tools: tools?.slice(0, MAX_SHOWN_TOOLS) }));
      const facts = { ...rest, ...(shown && { offers: shown }) };
      if (besides.length === 0) return { data: facts };
      const ids = besides.map(({ id }) => id);
      return withOthers(ids, (found) => {
        const names = new Map(found.map(({ id, name }) => [id, name]));
        const named = besides
          .flatMap((other) => ({ ...other, name: names.get(other.id) ?? [] }))
          .filter(({ id }) => names.has(id));
        return { ...facts, ...(named.length > 0 && { besides: named }) };
      });
    }

    async function withOthers(ids: readonly string[], toData: (found: ListedAgent[]) => unknown): Promise<CallResult> {
      try {
        // Before the agents, so that no version is newer than what is shown.
        const versions = await agents.versionsOf(ids);
        others.push(...ids.map((id, index) => ({ id, version: versions[index] ?? '' })));
        return { data: toData((await agents.findAll(ids, MAX_PAGE_BYTES)).agents) };
      } catch (error) {
        logError(error as Error, request);
        return { failure: toHttpError(error as Error) };
      }
    }
  };
}
