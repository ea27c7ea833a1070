import { nameWebsite, type SiteConfig, type WebsiteName } from '@agent-registry/contracts';
import { createRequiredContext } from './required-context.ts';

/** Provides the branding and the categories of the registry to components. */
export const [SiteConfigContext, useSiteConfig] = createRequiredContext<SiteConfig>('SiteConfigContext');

/** Names a website with the shared hosts of the registry. */
export function useWebsiteName(website: string | null): WebsiteName | undefined {
  return nameWebsite(website, useSiteConfig().sharedHosts);
}
