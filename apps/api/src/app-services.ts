import type { ListedAgent, RegistrationMode } from '@agent-registry/contracts';
import type { FastifyBaseLogger } from 'fastify';
import type { AgentStore } from './stores.ts';
import type { AppOptions } from './app.ts';
import type { Services } from './http/api/context.ts';
import { createDescriptionReader } from './prefill/read-descriptions.ts';
import { createReadInTurn } from './prefill/read-in-turn.ts';
import type { RateLimiter } from './rate-limit/rate-limiter.ts';
import { createWebsiteClaims } from './website-check/website-claims.ts';

/** The parts of an application that its services share. */
type SharedParts = {
  agents: AgentStore;
  registration: RegistrationMode;
  rateLimiter: RateLimiter;
  log: FastifyBaseLogger;
};

/** Creates the services that the procedures of an application use. */
export function createServices(options: AppOptions, { log, ...shared }: SharedParts): Services {
  const { changes, sources, views, liveness, websites, rateLimitStore, metrics } = options;
  return {
    ...shared,
    changes,
    sources,
    views,
    liveness,
    heldEditsExcept: new Set(options.heldEditsExcept),
    websiteClaims:
      websites &&
      createWebsiteClaims({
        ...websites,
        rateLimitStore,
        onChecked: (check) => {
          metrics?.websiteChecks.inc({ result: check.result });
          log.info(check, 'Checked a website.');
        },
      }),
    readDescriptions:
      websites && createReadInTurn(createDescriptionReader(websites), shared.rateLimiter, rateLimitStore),
  };
}
