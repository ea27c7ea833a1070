import type { AppRouter } from '@agent-registry/client';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { TRPCLink } from '@trpc/client';
import { StrictMode, useState, type ReactNode } from 'react';
import { createFormState, FormStateContext } from './features/register/form-state.ts';
import { ToastProvider } from './features/toasts/ToastProvider.tsx';
import { Tooltips } from './features/tooltips/Tooltips.tsx';
import { createPlaceMemory, PlaceMemoryContext } from './navigation/history-entries.ts';
import type { PageState } from './ssr/page-state.ts';
import { SiteContext } from './ssr/site.ts';
import { cssVariablesResolver, theme } from './theme.ts';
import { ApiContext, createApi, createQueryClient } from './api/trpc.ts';

type AppProps = {
  state: PageState;
  /** The way on which calls travel. */
  link: TRPCLink<AppRouter>;
  children: ReactNode;
};

/** Everything the pages need around them: theme, calls and their cache, tooltips and toasts; the same on the server. */
export function App({ state, link, children }: AppProps) {
  const [queryClient] = useState(() => createQueryClient(state.entries));
  const [api] = useState(() => createApi(link, queryClient));
  const [formState] = useState(() => createFormState(state.refusedForm));
  const [placeMemory] = useState(createPlaceMemory);
  return (
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
        <ApiContext value={api}>
          <QueryClientProvider client={queryClient}>
            <ToastProvider>
              <SiteContext value={state.site}>
                <PlaceMemoryContext value={placeMemory}>
                  <FormStateContext value={formState}>{children}</FormStateContext>
                </PlaceMemoryContext>
              </SiteContext>
            </ToastProvider>
            <Tooltips />
          </QueryClientProvider>
        </ApiContext>
      </MantineProvider>
    </StrictMode>
  );
}
