import type { Registry } from '../agents/agent-rows.ts';
import { removeChecks } from '../connection-checks/check-store.ts';
import type { Engine } from '../db/engine.ts';
import { createFigureListener } from '../figures/daily-figures.ts';
import { createServerNaming } from '../servers/server-names.ts';
import { writeSuggestions } from '../suggestions/suggestions.ts';
import { writeEvents } from '../webhook/webhook-store.ts';

/**
 * A database with all listeners. Those that write rows which all writers share come last.
 * @param now the time, in milliseconds since 1970
 */
export function toRegistry(engine: Engine, now: () => number = () => Date.now()): Registry {
  const nameServers = createServerNaming(engine.serverNamespace);
  return {
    ...engine,
    listeners: [writeSuggestions, nameServers, removeChecks, writeEvents, createFigureListener(now)],
  };
}
