import type { SiteConfig } from '@agent-registry/contracts';
import type { CacheEntry } from '../api/trpc.ts';
import { readToday, type Site } from '../lib/site.ts';
import type { RefusedForm } from '../components/agent-form/refused-form.ts';

export type PageState = {
  site: Site;
  /** The branding that the operator set; undefined for that of the product. */
  config?: SiteConfig | undefined;
  entries: readonly CacheEntry[];
  /** Whether figures and counts of filters are of up to an hour ago. */
  hasOlderCounts?: boolean | undefined;
  refusedForm?: RefusedForm | undefined;
};

export const PAGE_STATE_ID = 'page-state';

/** Takes the page state out of the document, before hydration, which expects the markup alone; the development server embeds none. */
export function readPageState(): PageState {
  const element = document.getElementById(PAGE_STATE_ID);
  element?.remove();
  if (element?.textContent) return JSON.parse(element.textContent) as PageState;
  const { origin } = window.location;
  return { site: { origin, isPaged: false, registration: 'open', today: readToday() }, entries: [] };
}
