import { isStorable } from '@agent-registry/contracts';
import { MAX_NAME_LENGTH } from '../../servers/server-names.ts';
import type { NamedServer } from '../../servers/served-agents.ts';
import { searchAgents, type PublicReads } from '../api/public-reads.ts';
import type { Surface } from '../api/surface.ts';
import { OWN_SERVER_AT, toOwnServer, toServerResponse } from './describe-servers.ts';
import { writeCursor, type ServersRequest } from './requests.ts';

export type McpRegistryOptions = Surface & {
  /** How one publishes here; undefined where nobody can. */
  publishing?: string | undefined;
};

/** Reads a page of a list: the registry itself first, and in a search the matches by name before the others. */
export async function readPage(
  options: McpRegistryOptions & { publicUrl: string },
  reads: PublicReads,
  request: ServersRequest,
) {
  const { servers } = options;
  const { limit, place, search, since, version, after } = request;
  const own = place || after !== undefined ? [] : [toOwnServer(options)].filter((one) => isWanted(one, request));
  const answer: object[] = own.slice(0, limit);
  let next: Pick<ServersRequest, 'place' | 'after'> | undefined = place && { place };
  const text = search !== undefined && (search.length > MAX_NAME_LENGTH || !isStorable(search)) ? undefined : search;
  if (after === undefined && (search === undefined || text !== undefined)) {
    const room = limit - answer.length;
    // A page for the registry's own server alone goes on with the first one of the others.
    const page =
      room === 0
        ? { servers: [], next: { at: FIRST, number: 0, name: 0 } }
        : await servers.list({ limit: room, after: place, version, text, since });
    answer.push(...page.servers.map((server) => toServerResponse(server)));
    next = page.next && { place: page.next };
  }
  if (search !== undefined && !next) {
    const room = limit - answer.length;
    const page =
      room === 0
        ? { servers: [], next: after ?? '' }
        : await searchOthers(options, reads, { ...request, text, limit: room });
    answer.push(...page.servers.map((server) => toServerResponse(server)));
    next = page.next === undefined ? undefined : { after: page.next };
  }
  return {
    servers: answer,
    metadata: {
      count: answer.length,
      ...(next && { nextCursor: writeCursor({ search, since, version, ...next }) }),
    },
  };
}

const FIRST = '0000-01-01T00:00:00.000Z';

function isWanted(
  { server }: ReturnType<typeof toOwnServer>,
  { search, since = '', version }: ServersRequest,
): boolean {
  const isNamed = search === undefined || server.name.includes(search.toLowerCase());
  return isNamed && since <= OWN_SERVER_AT && (version === undefined || version === server.version);
}

/** Searches as the registry does, for servers without the text in their names. */
async function searchOthers(
  { servers }: McpRegistryOptions,
  reads: PublicReads,
  { search = '', text, limit, after, since, version }: ServersRequest & { text: string | undefined },
): Promise<{ servers: NamedServer[]; next: string | undefined }> {
  const searched = { text: search, limit, after: after || undefined, connects: ['mcp' as const] };
  const { agents, next } = await searchAgents(reads, searched);
  const ids = agents.map(({ id }) => id);
  const found = await servers.ofAgents(ids);
  const changed = since ? await servers.changedIn(ids, since) : undefined;
  const kept = agents.flatMap(({ id }) => {
    const server = found.get(id);
    const isOther = server && !(text !== undefined && server.name.toLowerCase().includes(text.toLowerCase()));
    return isOther && (changed?.has(id) ?? true) && (version ?? server.version) === server.version ? [server] : [];
  });
  return { servers: kept, next };
}
