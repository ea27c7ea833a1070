import { readDailyFigures } from '../figures/daily-figures.ts';
import { agentsRouter } from './agents-router.ts';
import { procedure, router } from './console-trpc.ts';
import { queueRouter } from './queue-router.ts';
import { readSystem } from './read-system.ts';
import { reportsRouter } from './reports-router.ts';

/** The calls of the operator's console. The public server has none of them. */
export const consoleRouter = router({
  /** Who acts, and on which registry. */
  session: procedure.query(({ ctx: { by, site } }) => ({ by, ...site })),
  /** Facts about the registry as a whole. */
  system: procedure.query(({ ctx: { engine } }) => readSystem(engine, Date.now())),
  figures: router({
    /** The figures of the last 90 days, oldest first. */
    daily: procedure.query(({ ctx: { engine } }) => readDailyFigures(engine.db)),
  }),
  queue: queueRouter,
  reports: reportsRouter,
  agents: agentsRouter,
});

/** The type of the router, for the page. */
export type ConsoleRouter = typeof consoleRouter;
