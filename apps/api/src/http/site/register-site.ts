import type { FastifyInstance } from 'fastify';
import type { Logo } from '../../site-config.ts';
import { ARD_MANIFEST_PATH } from '../ard/entries.ts';
import { registerBadges } from '../machine/badge.ts';
import { registerLlmsTxt, registerSkill } from '../machine/llms-txt.ts';
import { brandedFiles, registerBranding } from './branding.ts';
import { registerFeeds } from './feeds.ts';
import { registerOgImages } from './og-images.ts';
import { registerOpenSearchSuggestions, registerSeo } from './seo.ts';
import type { RenderingOptions, Site } from './page-rendering.ts';
import { registerPages } from './pages.ts';
import { registerSitemaps } from './sitemaps.ts';
import { registerStaticFiles } from './static-files.ts';

type SiteOptions = Omit<RenderingOptions, 'ardUrl'> & {
  logo?: Logo | undefined;
};

/** Registers the pages, their files and pictures, and what they name for programs: badges, feeds, sitemaps. */
export function registerSite(app: FastifyInstance, site: Site, options: SiteOptions): void {
  const { siteConfig, publicUrl, logo } = options;
  const ardUrl = publicUrl && publicUrl + ARD_MANIFEST_PATH;
  registerStaticFiles(app, site.webDir, brandedFiles(siteConfig));
  registerBranding(app, siteConfig, logo);
  registerBadges(app, options);
  registerLlmsTxt(app, options);
  registerSkill(app, options);
  registerFeeds(app, options);
  registerSeo(app, { ...options, ardUrl });
  registerSitemaps(app, options);
  registerOpenSearchSuggestions(app, options);
  registerOgImages(app, options);
  registerPages(app, site, { ...options, ardUrl });
}
