import { restLink } from '@agent-registry/client/rest-link';
import { defaultSiteConfig } from '@agent-registry/contracts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import * as library from '@testing-library/react';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { ApiContext, createApi, createQueryClient, type CacheEntry } from '../api/trpc.ts';
import { createRefusedForm, RefusedFormContext, type RefusedForm } from '../components/agent-form/refused-form.ts';
import { ToastProvider } from '../features/toasts/ToastProvider.tsx';
import { ChosenListProvider } from '../navigation/chosen-list.tsx';
import { SiteConfigContext, SiteContext, type Site, readToday } from '../lib/site.ts';
import { toTheme } from '../theme.ts';

/** The environment of a component under test. */
export type RenderOptions = {
  /** The current URL. */
  url?: string;
  /** Responds to requests; by default with 500. */
  fetch?: typeof fetch;
  /** By default a small registry with open registration. */
  site?: Partial<Site> | undefined;
  /** The initial query cache. */
  entries?: readonly CacheEntry[];
  /** A form that was posted without scripts and refused. */
  refused?: RefusedForm;
};

/** Query keys of the procedures. */
export const { queries } = createApi(restLink({ url: '' }), createQueryClient());

/** Renders an element inside the providers of the app. */
export function render(element: ReactNode, options?: RenderOptions) {
  return library.render(element, { wrapper: createWrapper(options) });
}

/** Renders an element on the server, lets a visitor use it, and hydrates it. */
export function hydrate(element: ReactNode, use: (container: HTMLElement) => void, options?: RenderOptions) {
  const wrapper = createWrapper(options);
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = renderToString(wrapper({ children: element }));
  use(container);
  return library.render(element, { wrapper, container, hydrate: true });
}

/** Renders a hook inside the providers of the app. */
export function renderHook<Result>(hook: () => Result, options?: RenderOptions) {
  return library.renderHook(hook, { wrapper: createWrapper(options) });
}

function createWrapper({ url = '/', fetch = respondWith(500), site, entries, refused }: RenderOptions = {}) {
  const queryClient = createQueryClient(entries);
  const refusedForm = createRefusedForm(refused);
  const api = createApi(restLink({ url: '', fetch }), queryClient);
  const testSite: Site = {
    origin: 'https://registry.example',
    isPaged: false,
    registration: 'open',
    today: readToday(),
    ...site,
  };
  return ({ children }: { children: ReactNode }) => (
    <MantineProvider theme={toTheme(defaultSiteConfig)} env="test">
      <ApiContext value={api}>
        <QueryClientProvider client={queryClient}>
          <ToastProvider>
            <SiteContext value={testSite}>
              <SiteConfigContext value={defaultSiteConfig}>
                <RefusedFormContext value={refusedForm}>
                  <MemoryRouter initialEntries={[url]}>
                    <ChosenListProvider>{children}</ChosenListProvider>
                  </MemoryRouter>
                </RefusedFormContext>
              </SiteConfigContext>
            </SiteContext>
          </ToastProvider>
        </QueryClientProvider>
      </ApiContext>
    </MantineProvider>
  );
}

/** A fetch that responds to every request the same, and logs method and URL to `calls`. */
export function respondWith(status: number, body: unknown = '', calls: string[] = []): typeof fetch {
  return async (input, init) => {
    calls.push(`${init?.method} ${input as string}`);
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  };
}
