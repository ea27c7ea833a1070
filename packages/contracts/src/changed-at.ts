import type { Agent } from './agent.ts';

/** The time of the last edit of an agent, or of its registration: ISO 8601 in UTC. */
export function changedAt({ createdAt, updatedAt }: Pick<Agent, 'createdAt' | 'updatedAt'>): string {
  return updatedAt ?? createdAt;
}
