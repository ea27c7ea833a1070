import type { SiteConfig } from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import type { PublicationStore } from '../../publisher/publication-store.ts';
import type { RateLimitStore } from '../../rate-limit/rate-limit-store.ts';
import type { AppRouter } from '../../router.ts';
import type { ServerStore } from '../../servers/server-store.ts';
import type { Logo } from '../../site-config.ts';
import type { ViewCounter } from '../../stats/view-store.ts';
import type { AgentStore } from '../../stores.ts';
import type { Services } from '../../trpc.ts';
import type { Websites } from '../../website-check/check-website.ts';
import type { ReadVersion, ResponseCache } from '../cache/response-cache.ts';
import type { CreateContext, RunProcedure } from './context.ts';
import type { ReadsOf } from './public-reads.ts';

/** The stores that the process has opened for the application. */
export type Stores = Pick<Services, 'agents' | 'changes' | 'sources'> & {
  servers: ServerStore;
  publications: PublicationStore;
  views: ViewCounter;
};

/** What the application gives to each surface: the services of procedures, and the ways to run and cache them. */
export type Surface = Omit<Services & Stores, 'agents'> & {
  /** Lists and searches are read by `createContext` only, which charges for them. */
  agents: Omit<AgentStore, 'list' | 'page' | 'findAll' | 'latest' | 'search' | 'searchWhole' | 'countFacets'>;
  rateLimitStore: RateLimitStore;
  /** How websites are checked; undefined where they are not. */
  websites: Websites | undefined;
  siteConfig: SiteConfig;
  logo: Logo | undefined;
  /** The HTML of the built web app, into which pages are rendered; undefined if it is not built. */
  template: string | undefined;
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
  countView: (request: FastifyRequest, agentId: string) => void;
};
