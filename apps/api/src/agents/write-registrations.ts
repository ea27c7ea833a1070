import type { Agent, ChangeActor } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import { addToFigures, toDay } from '../figures/daily-figures.ts';
import { writeAgents, type OwnedAgent } from './agent-rows.ts';
import type { Registered } from './agent-store.ts';
import { findHeld } from './find-owned.ts';
import { claimKeys, type Registration } from './registration-keys.ts';
import { addUnlisted } from './unlisted-agents.ts';
import { addEvents } from '../webhook/operator-events.ts';

/** Writes a group of registrations; returns each agent, or the earlier agent with the same key. */
export async function writeRegistrations(
  engine: Engine,
  transaction: Kysely<Tables>,
  registrations: readonly Registration[],
  now: number,
): Promise<Registered[]> {
  const firsts = await claimKeys(transaction, registrations, now);
  const results = registrations.map(({ agent, key }) => (key === undefined ? agent : (firsts.get(key) as Agent)));
  const added = registrations.filter(({ agent }, index) => results[index] === agent);
  const [held, listed] = [added.filter(({ isHeld }) => isHeld), added.filter(({ isHeld }) => !isHeld)];
  const [owned, unowned] = [
    listed.filter(({ keyHash }) => keyHash !== undefined),
    listed.filter(({ keyHash }) => keyHash === undefined),
  ];
  if (owned.length > 0) await writeNewAgents(engine, transaction, owned, 'owner');
  if (unowned.length > 0) await writeNewAgents(engine, transaction, unowned, 'anyone');
  for (const { agent, ...owned } of held) {
    const unlisting = { state: 'held', reason: '', since: agent.createdAt } as const;
    await addUnlisted(engine, transaction, [{ agent, ...owned }], unlisting);
  }
  await addEvents(
    transaction,
    'agent.held',
    held.map(({ agent }) => agent.id),
  );
  await addToFigures(transaction, toDay(now), { registrations: added.length });
  if (added.length === results.length) return registrations.map(({ agent, isHeld }) => ({ agent, isHeld }));
  const stillHeld = await findHeld(transaction, results);
  return results.map((agent) => ({ agent, isHeld: stillHeld.has(agent.id) }));
}

/** Writes agents whose ids must not be taken. */
export async function writeNewAgents(
  engine: Engine,
  transaction: Kysely<Tables>,
  agents: readonly OwnedAgent[],
  actor: ChangeActor,
): Promise<void> {
  const { size } = await writeAgents(engine, transaction, agents, { actor });
  if (size < agents.length) throw new Error('The id of an agent is taken.');
}
