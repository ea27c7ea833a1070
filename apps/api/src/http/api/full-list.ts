import type { ListedAgent } from '@agent-registry/contracts';
import { writeJson, type FieldsRequest } from './write-json.ts';

type Chunks = AsyncGenerator<ListedAgent[], void, undefined>;

/**
 * Writes a list of any length as one JSON array, read chunk by chunk: other requests run between two chunks, and no more
 * than a batch of agents is in memory. The first chunk is read before this resolves, so its errors are ordinary responses.
 */
export async function writeFullList(chunks: Chunks, request: FieldsRequest): Promise<AsyncIterable<string>> {
  const first = await chunks.next();
  return writeChunks(first.value ?? [], chunks, request);
}

async function* writeChunks(first: ListedAgent[], others: Chunks, { fields }: FieldsRequest): AsyncGenerator<string> {
  const write = (agents: ListedAgent[]) => writeJson(agents, { fields }).slice(1, -1);
  yield `[${write(first)}`;
  // Chunks have at least one agent.
  for await (const agents of others) yield `,${write(agents)}`;
  yield ']';
}
