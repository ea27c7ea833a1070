import {
  getCategory,
  nameWebsite,
  type Category,
  type CategoryId,
  type SiteConfig,
  type WebsiteName,
} from '@agent-registry/contracts';
import { createRequiredContext } from './required-context.ts';

export const [SiteConfigContext, useSiteConfig] = createRequiredContext<SiteConfig>('SiteConfigContext');

/** The category with an id; a neutral one if the operator removed it. */
export function useCategory(id: CategoryId): Category {
  return getCategory(useSiteConfig().categories, id);
}

/** Names a website with the shared hosts of the registry. */
export function useWebsiteName(website: string | null): WebsiteName | undefined {
  return nameWebsite(website, useSiteConfig().sharedHosts);
}
