import type { RefusedForm } from '../features/register/form-state.ts';
import type { Site } from './site.ts';
import type { CacheEntry } from '../api/trpc.ts';

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
