import type { CategoryId } from '@agent-registry/contracts';
import type { FastifyReply } from 'fastify';
import { totalOf, type AgentStore } from '../../agents/agent-store.ts';
import type { Making } from '../cache/response-cache.ts';
import { sendChunks } from './stream-json.ts';

/** Most agents that are put before a list in place of reading all of it anew. */
export const MAX_ADDED = 200;

/** What an agent takes in a list, in bytes, about. */
const AGENT_SIZE = 900;

/** What a list was made of. */
type ListNote = {
  version: number;
  /** How many agents there were in all, and in this list. */
  total: number;
  size: number;
  firstId: string | undefined;
};

/** What to send. */
export type WholeListOptions = { agents: AgentStore; category: CategoryId | undefined; making: Making | undefined };

/**
 * Sends all agents, or those of one category. Where nothing has happened since the answer before but registrations, it is
 * that answer with the new agents before the others, so that a list of any size is not read again for each of them.
 */
export async function sendWholeList(
  reply: FastifyReply,
  { agents, category, making }: WholeListOptions,
): Promise<FastifyReply> {
  if (!making) return sendChunks(reply, agents.stream(category));
  const version = await agents.version();
  const counts = await agents.countByCategory();
  const total = totalOf(counts);
  const note: ListNote = { version, total, size: category ? counts[category] : total, firstId: undefined };
  if (note.size * AGENT_SIZE > making.maxSize) {
    making.leave();
    return sendChunks(reply, agents.stream(category));
  }
  making.note = note;
  const { previous } = making;
  const added = previous && (await readAdded(previous.note as ListNote));
  if (previous && added) {
    note.firstId = added[0]?.id ?? (previous.note as ListNote).firstId;
    return reply.type('application/json; charset=utf-8').send(prepend(added, previous.body));
  }
  return sendChunks(reply, notingFirst(agents.stream(category)));

  /** The agents that came before all others of a list since it was made; undefined if that is not all that has changed. */
  async function readAdded(old: ListNote) {
    const count = note.size - old.size;
    const hasOnlyGrown = version - old.version === total - old.total;
    if (!hasOnlyGrown || count > MAX_ADDED) return undefined;
    const page = await agents.page({ category, limit: count + 1 });
    return page?.agents[count]?.id === old.firstId ? page?.agents.slice(0, count) : undefined;
  }

  async function* notingFirst(chunks: ReturnType<AgentStore['stream']>): ReturnType<AgentStore['stream']> {
    for await (const chunk of chunks) {
      note.firstId ??= chunk[0]?.id;
      yield chunk;
    }
  }
}

function prepend(added: unknown[], body: Buffer): Buffer {
  if (added.length === 0) return body;
  const isEmpty = body.length === '[]'.length;
  const head = JSON.stringify(added).slice(0, -1) + (isEmpty ? '' : ',');
  return Buffer.concat([Buffer.from(head), body.subarray(1)]);
}
