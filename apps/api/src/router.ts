import { agentRouter } from './agents/agent-router.ts';
import { statsRouter } from './stats/stats-router.ts';
import { router } from './trpc.ts';

/** Every procedure of the registry. */
export const appRouter = router({ agents: agentRouter, stats: statsRouter });

/** The type of the router, by which a client knows every procedure. */
export type AppRouter = typeof appRouter;
