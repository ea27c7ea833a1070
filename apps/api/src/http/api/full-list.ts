import type { ListedAgent } from '@agent-registry/contracts';
import { writeJson, type FieldsRequest } from './write-json.ts';

/** Writes a list of any length as one JSON array, chunk by chunk. */
export async function* writeFullList(
  chunks: AsyncIterable<ListedAgent[]>,
  { fields }: FieldsRequest,
): AsyncGenerator<string, void, undefined> {
  let isFirst = true;
  for await (const agents of chunks) {
    // Chunks have at least one agent.
    yield (isFirst ? '[' : ',') + writeJson(agents, { fields }).slice(1, -1);
    isFirst = false;
  }
  yield isFirst ? '[]' : ']';
}
