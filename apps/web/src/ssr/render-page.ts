import type { RenderRequest, RenderedPage } from '@agent-registry/api/page-renderer';
import { RestError } from '@agent-registry/client';
import type { AppRouter } from '@agent-registry/client/rest-link';
import { MAX_FULL_LIST, type EndpointName, type SiteConfig } from '@agent-registry/contracts';
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { createApi, createQueryClient, type CacheEntry } from '../api/trpc.ts';
import type { RefusedForm } from '../components/agent-form/refused-form.ts';
import { readToday, type RegisteredByForm } from '../lib/site.ts';
import { PAGE_STATE_ID, type PageState } from '../pages/page-state.ts';
import { loadPageData, withTimeout } from './page-data.ts';
import { toDataElement, toDataJson, toSocialMetaTags, toStructuredData } from './social-meta.ts';
import { keepUsedStyles } from './used-styles.ts';
import { commonIcons, toSymbolId } from '../components/CategoryIcon.tsx';
import { toShapes } from '../components/Icon.tsx';

const icons = import.meta.glob<string>('../icons/*.svg', { query: '?raw', import: 'default', eager: true });
const AFTER_AGENTS = '<section id="register"';

/** Most bytes of what a page embeds for hydration, and of the page of one agent. The browser loads the rest. */
const [MAX_STATE_BYTES, MAX_AGENT_STATE_BYTES] = [2 ** 20, 2 ** 18];

export type Refused = RefusedForm & { status: number };

export type Accepted = { status: number; registered: RegisteredByForm };

/** @param posted what became of the form that was posted to the page */
export async function renderPage(request: RenderRequest, posted?: Refused | Accepted): Promise<RenderedPage> {
  const { origin, ardUrl, registration, template, siteConfig } = request;
  const url = toUrl(request);
  const queryClient = createQueryClient();
  const api = createApi(createProcedureLink(request.call), queryClient);
  const [data, total] = await Promise.all([
    loadPageData(url, { api, queryClient, siteConfig }),
    withTimeout(request.countAgents()),
  ]);
  const withoutEntries: Omit<PageState, 'entries'> = {
    // Pages of agents are right for a directory of any size.
    site: {
      origin,
      isPaged: total === undefined || total > MAX_FULL_LIST,
      registration,
      today: readToday(),
      ...(posted && 'registered' in posted && { registered: posted.registered }),
    },
    ...(siteConfig.isCustom && { config: siteConfig }),
    ...(request.url !== '/' && { hasOlderCounts: true }),
    ...(posted && 'message' in posted && { refusedForm: posted }),
  };
  const queries = queryClient.getQueriesData({});
  const loaded = queries.filter(([, value]) => value !== undefined);
  const room = (data.agent ? MAX_AGENT_STATE_BYTES : MAX_STATE_BYTES) - sizeOf({ ...withoutEntries, entries: [] });
  const state: PageState = { ...withoutEntries, entries: takeWithin(loaded, room) };
  const location = { pathname: url.pathname, search: url.search };
  const { head, variables, body } = splitHead(await request.renderMarkup({ location, state }));
  const context = { origin, siteConfig };
  const stateElement = toDataElement('application/json', state, PAGE_STATE_ID);
  const html = template
    .replace('<!--head-->', () => head + toSocialMetaTags(data, context, ardUrl))
    // After the inline stylesheet, which has Mantine's defaults.
    .replace('</head>', () => `${variables}</head>`)
    .replace('<!--page-->', () => body)
    // Close to the agents, whose texts it repeats: gzip looks back 32 kB.
    .replace(body.includes(AFTER_AGENTS) ? AFTER_AGENTS : '<!--state-->', (place) => stateElement + place)
    // After the state, whose texts it repeats.
    .replace(
      '<!--state-->',
      () => toStructuredData(data, context) + (siteConfig.isCustom ? renderSymbols(siteConfig) : ''),
    );
  return {
    status: posted?.status ?? data.status,
    html: keepUsedStyles(html),
    isComplete: total !== undefined && loaded.length === queries.length,
  };
}

function takeWithin(entries: readonly CacheEntry[], bytes: number): CacheEntry[] {
  let room = bytes;
  return entries.filter((entry) => {
    // And a comma.
    const size = sizeOf(entry) + 1;
    if (size > room) return false;
    room -= size;
    return true;
  });
}

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(toDataJson(value)).length;
}

function toUrl({ origin, url }: RenderRequest): URL {
  const [path = '', ...query] = url.split('?');
  // URL resolves dot segments, which the router takes for names.
  const pathname = path.replaceAll(/(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi, (dots) => dots.replaceAll(/\.|%2e/gi, '%252e'));
  return Object.assign(new URL(origin), { pathname, search: query.join('?') });
}

function createProcedureLink(call: RenderRequest['call']): TRPCLink<AppRouter> {
  return () =>
    ({ op: { path, input } }) =>
      observable((observer) => {
        void call(path as EndpointName, input).then((result) => {
          if ('failure' in result) {
            const { status, detail } = result.failure;
            observer.error(TRPCClientError.from(new RestError(status, detail)));
            return;
          }
          observer.next({ result: { type: 'data', data: result.data } });
          observer.complete();
        });
      });
}

/**
 * Splits off the elements of the head, which React renders first, and the variables of the theme, which Mantine renders
 * next. React escapes every `>` in text.
 */
function splitHead(markup: string): { head: string; variables: string; body: string } {
  const parts = /^(?<head>(?:<title>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)*)(?<variables><style\b[^<]*<\/style>)?/;
  const { head = '', variables = '' } = parts.exec(markup)?.groups ?? {};
  return { head, variables, body: markup.slice(head.length + variables.length) };
}

/** Renders the icons of the operator's categories as SVG symbols, so that the scripts of the page need not have them. */
function renderSymbols({ categories }: SiteConfig): string {
  const symbols = [...new Set(categories.map(({ icon }) => icon))].flatMap((name) => {
    const svg = icons[`../icons/${name}.svg`];
    if (svg === undefined || name in commonIcons) return [];
    return [`<symbol id="${toSymbolId(name)}" viewBox="0 0 24 24">${toShapes(svg)}</symbol>`];
  });
  return symbols.length > 0 ? `<svg width="0" height="0" hidden>${symbols.join('')}</svg>` : '';
}
