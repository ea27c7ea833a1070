import type { RegistrationMode, SiteConfig } from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import type { RateLimiter } from '../../rate-limit/rate-limiter.ts';
import type { AppRouter, RunProcedure } from '../../router.ts';
import type { Logo } from '../../site-config.ts';
import type { AgentStore } from '../../stores.ts';
import type { ReadVersion, ResponseCache } from '../cache/response-cache.ts';
import type { CreateContext, ServiceOptions } from './context.ts';
import type { ReadsOf } from './public-reads.ts';

/** What the application gives to each surface. */
export type Surface = Pick<ServiceOptions, 'servers'> & {
  siteConfig: SiteConfig;
  logo: Logo | undefined;
  /** The HTML of the built web app, into which pages are rendered; undefined if it is not built. */
  template: string | undefined;
  registration: RegistrationMode;
  agents: AgentStore;
  /** Where visitors reach the registry, such as `https://registry.example`, as the operator says. */
  publicUrl: string | undefined;
  /** The same for a body; without `publicUrl` that of the request, and no shared cache may keep the response. */
  toOrigin: (request: FastifyRequest) => string;
  router: AppRouter;
  createContext: CreateContext;
  runProcedure: RunProcedure;
  readsOf: ReadsOf;
  cache: ResponseCache;
  /** The version of the agents, which every response shows. */
  readVersion: ReadVersion;
  /** The version of what the registry knows of them, which also changes every hour. */
  readFactsVersion: ReadVersion;
  rateLimiter: RateLimiter;
  countView: (request: FastifyRequest, agentId: string) => void;
};
