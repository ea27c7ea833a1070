import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { editableFields, type NewAgent } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { groupCommits } from '../db/group-commit.ts';
import type { AgentStore, Registered, RegisterOptions } from './agent-store.ts';
import { hasKey } from './find-owned.ts';
import { hashKey } from './management-keys.ts';
import type { Registration } from './registration-keys.ts';
import { writeRegistrations } from './write-registrations.ts';

/** Creates the part of the agent store that registers agents. */
export function createRegistrations(
  engine: Engine,
  now: () => number,
  onRegistered: () => void,
): Pick<AgentStore, 'register' | 'registerOnce'> {
  const { db } = engine;
  const commit = groupCommits<Registration, Registered>(db, (transaction, registrations) =>
    writeRegistrations(engine, transaction, registrations, now()),
  );

  return {
    async register(newAgent, options) {
      const registered = await commit(toRegistration(newAgent, options));
      onRegistered();
      return registered;
    },

    async registerOnce(idempotencyKey, newAgent, options) {
      const registration = toRegistration(newAgent, options);
      const first = await commit({ ...registration, key: idempotencyKey });
      if (first.agent === registration.agent) {
        onRegistered();
        return first;
      }
      const isSame = editableFields.every((field) => isDeepStrictEqual(first.agent[field], newAgent[field]));
      if (!isSame) return undefined;
      const managementKey = options?.key;
      return managementKey === undefined || (await hasKey(db, first.agent.id, managementKey)) ? first : undefined;
    },
  };

  function toRegistration(newAgent: NewAgent, { key, isHeld = false }: RegisterOptions = {}): Registration {
    const createdAt = new Date(now()).toISOString();
    const agent = { id: randomUUID(), ...newAgent, rating: 0, reviewCount: 0, createdAt };
    return { agent, isHeld, ...(key !== undefined && { keyHash: hashKey(key) }) };
  }
}
