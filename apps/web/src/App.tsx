import type { AppRouter } from '@agent-registry/client/rest-link';
import { defaultSiteConfig } from '@agent-registry/contracts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { TRPCLink } from '@trpc/client';
import { StrictMode, useEffect, useState, type ReactNode } from 'react';
import { ApiContext, createApi, createQueryClient } from './api/trpc.ts';
import { createRefusedForm, RefusedFormContext } from './components/agent-form/refused-form.ts';
import { ToastProvider } from './features/toasts/ToastProvider.tsx';
import { Tooltips } from './features/tooltips/Tooltips.tsx';
import type { PageState } from './pages/page-state.ts';
import { SiteConfigContext, SiteContext } from './lib/site.ts';
import { whenIdle } from './lib/when-idle.ts';
import { cssVariablesResolver, toTheme } from './theme.ts';

type AppProps = {
  state: PageState;
  /** The terminating tRPC link: REST calls in the browser, procedure calls on the server. */
  link: TRPCLink<AppRouter>;
  children: ReactNode;
};

/** Whether the document has the variables of the theme in its head, as rendered pages do. */
const hasVariables = typeof document === 'object' && document.head.querySelector('[data-mantine-styles]') !== null;

export function App({ state, link, children }: AppProps) {
  const [queryClient] = useState(() => createQueryClient(state.entries));
  const siteConfig = state.config ?? defaultSiteConfig;
  const [theme] = useState(() => toTheme(siteConfig));
  const [api] = useState(() => createApi(link, queryClient));
  useEffect(() => {
    // Once all of the page is hydrated, since it must be hydrated with what it shows.
    if (state.hasOlderCounts)
      void whenIdle().then(() =>
        Promise.all([api.queries.stats, api.queries.agents.facets].map((counts) => counts.invalidate())),
      );
  }, [api, state]);
  const [refusedForm] = useState(() => createRefusedForm(state.refusedForm));
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        withCssVariables={!hasVariables}
        defaultColorScheme="auto"
        withGlobalClasses={false}
        withStaticClasses={false}
      >
        <ApiContext value={api}>
          <QueryClientProvider client={queryClient}>
            <ToastProvider>
              <SiteContext value={state.site}>
                <SiteConfigContext value={siteConfig}>
                  <RefusedFormContext value={refusedForm}>{children}</RefusedFormContext>
                </SiteConfigContext>
              </SiteContext>
            </ToastProvider>
            <Tooltips />
          </QueryClientProvider>
        </ApiContext>
      </MantineProvider>
    </StrictMode>
  );
}
