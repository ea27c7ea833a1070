import type { AppRouter } from '@agent-registry/client/rest-link';
import { defaultSiteConfig } from '@agent-registry/contracts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { TRPCLink } from '@trpc/client';
import { StrictMode, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { ApiContext, createApi, createQueryClient } from './api/trpc.ts';
import { createRefusedForm, RefusedFormContext } from './components/agent-form/refused-form.ts';
import { createLazyComponent } from './components/lazy-component.tsx';
import { ToastProvider } from './features/toasts/ToastProvider.tsx';
import type { PageState } from './pages/page-state.ts';
import { SiteConfigContext, SiteContext } from './lib/site.ts';
import { whenIdle } from './lib/when-idle.ts';
import { cssVariablesResolver, toTheme } from './theme.ts';

const lazyTooltipLayer = createLazyComponent(
  async () => (await import('./features/tooltips/TooltipLayer.tsx')).TooltipLayer,
);

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

/** The tooltips; their code loads when the pointer or the focus is on a control that has one. */
function Tooltips() {
  const [Layer, setLayer] = useState<ComponentType>();
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const load = ({ target }: Event) => {
      if (!(target instanceof Element && target.closest('[data-tooltip], [data-tooltip-if-cut]'))) return;
      lazyTooltipLayer.load().then(
        (layer) => {
          listeners.abort();
          setLayer(() => layer);
        },
        () => {},
      );
    };
    for (const type of ['pointerover', 'focusin']) document.addEventListener(type, load, { signal });
    return () => listeners.abort();
  }, []);
  return Layer && <Layer />;
}
