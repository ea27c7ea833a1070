import { getCategory, type Category, type CategoryId } from '@agent-registry/contracts';
import { useSiteConfig } from '../lib/site-config.ts';

/** The category with an id; a neutral one if the operator removed it. */
export function useCategory(id: CategoryId): Category {
  return getCategory(useSiteConfig().categories, id);
}
