import type { FastifyInstance } from 'fastify';
import type { AgentStore } from '../../stores.ts';
import type { Logo } from '../../site-config.ts';
import { ARD_MANIFEST_PATH } from '../ard/entries.ts';
import { registerBadges } from '../machine/badge.ts';
import { registerLlmsTxt } from '../machine/llms-txt.ts';
import { registerSkill } from '../machine/skill-md.ts';
import { brandedFiles, registerBranding } from './branding.ts';
import { registerFeeds } from './feeds.ts';
import { registerOgImages } from './og-images.ts';
import { registerOpenSearchSuggestions } from './opensearch-suggestions.ts';
import type { Site } from './page-rendering.ts';
import { registerPages, type PagesOptions } from './pages.ts';
import { registerSeo } from './seo.ts';
import { registerSitemaps } from './sitemaps.ts';
import { registerStaticFiles } from './static-files.ts';

export type SiteOptions = Omit<PagesOptions, 'agents' | 'ardUrl'> & {
  agents: AgentStore;
  /** Where visitors reach the registry, such as `https://registry.example`; by default taken from each request. */
  publicUrl?: string | undefined;
  /** The logo of the operator. */
  logo?: Logo | undefined;
};

/** Registers the pages, their files and pictures, and what they name for programs: badges, feeds, sitemaps. */
export function registerSite(app: FastifyInstance, site: Site, options: SiteOptions): void {
  const { siteConfig, agents, createContext, readsOf, cache, readVersion, toOrigin, publicUrl, logo } = options;
  const ardUrl = publicUrl && publicUrl + ARD_MANIFEST_PATH;
  registerStaticFiles(app, site.webDir, brandedFiles(siteConfig));
  registerBranding(app, siteConfig, logo);
  registerBadges(app, { siteConfig, agents, cache, readVersion });
  registerLlmsTxt(app, { siteConfig, cache, toOrigin });
  registerSkill(app, { siteConfig, cache, toOrigin });
  registerFeeds(app, { siteConfig, createContext, cache, readVersion, toOrigin });
  registerSeo(app, { siteConfig, toOrigin, ardUrl });
  registerSitemaps(app, { siteConfig, agents, cache, readVersion, toOrigin });
  registerOpenSearchSuggestions(app, { siteConfig, readsOf, cache, readVersion, toOrigin });
  registerOgImages(app, { siteConfig, agents, cache, readVersion, logo });
  registerPages(app, site, { ...options, ardUrl });
}
