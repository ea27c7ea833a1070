import { createManagementKey as create } from '@agent-registry/contracts';

/** Creates a random management key of 256 bits. */
export function createManagementKey(): string {
  return create();
}
