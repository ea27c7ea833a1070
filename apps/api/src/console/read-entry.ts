import type { OperatorAction } from '../actions/operator-action.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import type { Engine } from '../db/engine.ts';
import { RegistryError } from '../registry-error.ts';

/**
 * Reads an agent of any state with all that is known of it, and the actions on it, latest first.
 * @throws {RegistryError} when there is none.
 */
export async function readEntry(engine: Engine, id: string) {
  const store = createKyselyOperatorStore(engine);
  const found = await store.inspect(id);
  if (!found) throw new RegistryError('not-found', 'No agent has this id');
  const actions: OperatorAction[] = [];
  for await (const action of store.streamActions({ id })) actions.unshift(action);
  return { ...found, actions };
}
