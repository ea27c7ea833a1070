import { agentIdSchema } from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import { createPathNotFoundError } from '../../http-error.ts';

/**
 * Reads the id of an agent in the path of a request.
 * @throws {RegistryError} for any other text: there is nothing at that address
 */
export function readAgentId({ params }: FastifyRequest): string {
  const { data: id } = agentIdSchema.safeParse((params as { id: string }).id);
  if (id === undefined) throw createPathNotFoundError();
  return id;
}
