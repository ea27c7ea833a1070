import { createRequiredContext } from '../components/required-context.ts';

/** What the pages know of the registry they belong to. */
export type Site = {
  /** Where the registry is, such as `https://registry.example`. */
  origin: string;
  /** Whether the directory is too large to be read as one list. */
  isPaged: boolean;
  /** Whether nobody can register at present. */
  isRegistrationClosed: boolean;
};

/** Gives the pages what they know of the registry, and reads it. */
export const [SiteContext, useSite] = createRequiredContext<Site>('the site');
