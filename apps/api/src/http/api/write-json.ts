import type { ListedAgent } from '@agent-registry/contracts';

/** The part of a list request that names the fields of the agents. */
export type FieldsRequest = { fields?: readonly (keyof ListedAgent)[] | undefined };

/** Writes a response as JSON; of the agents of a list only the requested fields. */
export function writeJson(body: unknown, { fields }: FieldsRequest): string {
  return JSON.stringify(body, fields ? [...fields] : undefined);
}
