import type { QueryKey } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { RefusedForm } from './page-memory.ts';

/** What the pages know of the registry they belong to. */
export type Site = {
  /** Where the registry is, such as `https://registry.example`. */
  origin: string;
  /** Whether the directory is too large to be read as one list. */
  isPaged: boolean;
  /** Whether nobody can register at present. */
  isRegistrationClosed: boolean;
};

/** An answer in the cache, under its key. */
export type CacheEntry = readonly [QueryKey, unknown];

/** What the server says to the scripts of the page it has rendered. */
export type PageState = {
  site: Site;
  /** The answers that the page was rendered with. */
  entries: readonly CacheEntry[];
  /** The registration that was sent without scripts and refused, if the page is the answer to one. */
  refusedForm?: RefusedForm | undefined;
};

/** The id of the element that holds the page's state as JSON. */
export const PAGE_STATE_ID = 'page-state';

/** What the server has said in the document; in the development server, whose document nobody writes into, the plainest. */
export function readPageState(): PageState {
  const json = document.getElementById(PAGE_STATE_ID)?.textContent;
  if (json) return JSON.parse(json) as PageState;
  return { site: { origin: window.location.origin, isPaged: false, isRegistrationClosed: false }, entries: [] };
}

/** Gives the pages what they know of the registry. */
export const SiteContext = createContext<Site | null>(null);

/** What is known of the registry. */
export function useSite(): Site {
  const site = use(SiteContext);
  if (!site) throw new Error('useSite needs a SiteContext above it.');
  return site;
}
