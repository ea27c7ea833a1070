import { createContext, use } from 'react';

/** What the pages know of the registry they belong to. */
export type Site = {
  /** Where the registry is, such as `https://registry.example`. */
  origin: string;
  /** Whether the directory is too large to be read as one list. */
  isPaged: boolean;
  /** Whether nobody can register at present. */
  isRegistrationClosed: boolean;
};

/** Gives the pages what they know of the registry. */
export const SiteContext = createContext<Site | null>(null);

/** What is known of the registry. */
export function useSite(): Site {
  const site = use(SiteContext);
  if (!site) throw new Error('useSite needs a SiteContext above it.');
  return site;
}
