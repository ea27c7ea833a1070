import type { Registry } from '../agents/agent-rows.ts';
import { writeConnectionKeys } from '../agents/shared-connections.ts';
import { removeChecks } from '../connection-checks/check-store.ts';
import type { Engine } from '../db/engine.ts';
import { createServerNaming } from '../servers/server-names.ts';
import { writeSuggestions } from '../suggestions/suggestions.ts';
import { writeEvents } from '../webhook/webhook-store.ts';

/** A database with all listeners. The one that locks a row which all writers share comes last. */
export function toRegistry(engine: Engine): Registry {
  const nameServers = createServerNaming(engine.serverNamespace);
  return { ...engine, listeners: [writeSuggestions, writeConnectionKeys, nameServers, removeChecks, writeEvents] };
}
