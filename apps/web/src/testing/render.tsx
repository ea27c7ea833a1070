import { restLink } from '@agent-registry/client';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import * as library from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { createFormState, FormStateContext, type RefusedForm } from '../features/register/form-state.ts';
import { ToastProvider } from '../features/toasts/ToastProvider.tsx';
import { createPlaceMemory, PlaceMemoryContext } from '../navigation/history-entries.ts';
import { SiteContext, type Site } from '../ssr/site.ts';
import { theme } from '../theme.ts';
import { ApiContext, createApi, createQueryClient, type CacheEntry } from '../api/trpc.ts';

/** What a test may choose of what is around its component. */
export type RenderOptions = {
  /** The address the page is at. */
  url?: string;
  /** What answers calls; without it every call fails. */
  fetch?: typeof fetch;
  /** What the server says of the registry: by default that it is small and open. */
  site?: Partial<Site> | undefined;
  /** The answers that came with the page. */
  entries?: readonly CacheEntry[];
  /** The registration that was sent without scripts and refused, if the page is the answer to one. */
  refused?: RefusedForm;
};

/** The procedures as queries, for the keys of their answers. */
export const { queries } = createApi(restLink({ url: '' }), createQueryClient());

/** Renders an element with all that the application puts around its pages. */
export function render(element: ReactNode, options?: RenderOptions) {
  return library.render(element, { wrapper: makeWrapper(options) });
}

/** Runs a hook with all that the application puts around its pages. */
export function renderHook<Result>(hook: () => Result, options?: RenderOptions) {
  return library.renderHook(hook, { wrapper: makeWrapper(options) });
}

function makeWrapper({ url = '/', fetch = answerWith(500), site, entries, refused }: RenderOptions = {}) {
  const queryClient = createQueryClient(entries);
  const formState = createFormState(refused);
  const placeMemory = createPlaceMemory();
  const api = createApi(restLink({ url: '', fetch }), queryClient);
  const siteOfTest = { origin: 'https://registry.example', isPaged: false, isRegistrationClosed: false, ...site };
  return ({ children }: { children: ReactNode }) => (
    <MantineProvider theme={theme} env="test">
      <ApiContext value={api}>
        <QueryClientProvider client={queryClient}>
          <ToastProvider>
            <SiteContext value={siteOfTest}>
              <PlaceMemoryContext value={placeMemory}>
                <FormStateContext value={formState}>
                  <MemoryRouter initialEntries={[url]}>{children}</MemoryRouter>
                </FormStateContext>
              </PlaceMemoryContext>
            </SiteContext>
          </ToastProvider>
        </QueryClientProvider>
      </ApiContext>
    </MantineProvider>
  );
}

/** A fetch that gives each call the same answer, and says to `calls` what was asked. */
export function answerWith(status: number, body: unknown = '', calls: string[] = []): typeof fetch {
  return async (input, init) => {
    calls.push(`${init?.method} ${input as string}`);
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  };
}
