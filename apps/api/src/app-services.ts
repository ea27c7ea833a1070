import type { EditableField, RegistrationMode } from '@agent-registry/contracts';
import type { FastifyBaseLogger } from 'fastify';
import type { ChangeStore } from './changes/change-log.ts';
import type { Services } from './http/api/context.ts';
import type { ConnectionChecks } from './connection-checks/connection-checks.ts';
import type { Liveness } from './liveness/liveness.ts';
import type { Metrics } from './observability/metrics.ts';
import { createDescriptionReader } from './prefill/read-descriptions.ts';
import { createReadInTurn } from './prefill/read-in-turn.ts';
import type { RateLimitStore } from './rate-limit/rate-limit-store.ts';
import type { RateLimiter } from './rate-limit/rate-limiter.ts';
import type { ServerStore } from './servers/server-store.ts';
import type { ViewCounter } from './stats/view-store.ts';
import type { AgentStore } from './stores.ts';
import type { SourceStore } from './sync/source-store.ts';
import type { Websites } from './website-check/open-website-checks.ts';
import { createWebsiteClaims } from './website-check/website-claims.ts';

/** The options of an application of which its services are made. */
export type ServiceOptions = {
  agents: AgentStore;
  changes: ChangeStore;
  /** From where agents were imported. */
  sources: Pick<SourceStore, 'ofAgent' | 'besides'>;
  /** Agents as MCP servers. */
  servers: ServerStore;
  views: ViewCounter;
  rateLimitStore: RateLimitStore;
  /** How websites are checked; by default they are not. */
  websites?: Websites | undefined;
  /** What is known of the hosts of websites; by default nothing. */
  liveness?: Liveness | undefined;
  /** What is known of the connections of agents; by default nothing. */
  connectionChecks?: ConnectionChecks | undefined;
  /** What becomes of registrations; they are listed at once by default. */
  registration?: RegistrationMode;
  /** The fields whose edits are listed at once where registrations are held; none by default. */
  heldEditsExcept?: readonly EditableField[];
  metrics?: Metrics | undefined;
};

/** Creates the services that the procedures use. */
export function createServices(options: ServiceOptions, rateLimiter: RateLimiter, log: FastifyBaseLogger): Services {
  const { agents, changes, sources, servers, views, liveness, connectionChecks, websites, rateLimitStore, metrics } =
    options;
  return {
    agents,
    changes,
    sources,
    servers,
    views,
    liveness,
    connectionChecks,
    rateLimiter,
    registration: options.registration ?? 'open',
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
    readDescriptions: websites && createReadInTurn(createDescriptionReader(websites), rateLimiter, rateLimitStore),
  };
}
