import type { SiteConfig } from '@agent-registry/contracts';
import { createRequiredContext } from './required-context.ts';

/** Provides the branding and the categories of the registry to components. */
export const [SiteConfigContext, useSiteConfig] = createRequiredContext<SiteConfig>('SiteConfigContext');
