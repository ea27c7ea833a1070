import {
  type CategoryId,
  type RegistrationMode,
  getCategory,
  nameWebsite,
  type Category,
  type SiteConfig,
  type WebsiteName,
} from '@agent-registry/contracts';
import { createRequiredContext } from './required-context.ts';
import { useHydrated } from './use-hydrated.ts';

export type RegisteredByForm = {
  id: string;
  name: string;
  category: string;
  isHeld: boolean;
  /** The path of its management link; the key is in the fragment only. */
  link: string;
};

export type Site = {
  /** The public origin, such as `https://registry.example`. */
  origin: string;
  isPaged: boolean;
  registration: RegistrationMode;
  registered?: RegisteredByForm | undefined;
  /** The day in UTC on which the page was rendered, such as `2026-11-23`. */
  today: string;
};

export const [SiteContext, useSite] = createRequiredContext<Site>('SiteContext');

export const [SiteConfigContext, useSiteConfig] = createRequiredContext<SiteConfig>('SiteConfigContext');

/** The category with an id; a neutral one if the operator removed it. */
export function useCategory(id: CategoryId): Category {
  return getCategory(useSiteConfig().categories, id);
}

export function useWebsiteName(website: string | null): WebsiteName | undefined {
  return nameWebsite(website, useSiteConfig().sharedHosts);
}

export function readToday(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The day in UTC; while a page is hydrated, the day on which it was rendered. */
export function useToday(): string {
  const { today } = useSite();
  return useHydrated() ? readToday() : today;
}
