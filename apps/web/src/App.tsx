import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useState, type ReactNode } from 'react';
import { ToastProvider } from './features/toasts/ToastProvider.tsx';
import { Tooltips } from './features/tooltips/Tooltips.tsx';
import { createPageMemory, PageMemoryContext } from './page-memory.ts';
import { SiteContext, type PageState } from './site.ts';
import { cssVariablesResolver, theme } from './theme.ts';
import { createQueryClient, trpc, type ApiClient } from './trpc.ts';

type AppProps = { state: PageState; apiClient: ApiClient; children: ReactNode };

/** Everything the pages need around them: theme, calls and their cache, tooltips and toasts; the same on the server. */
export function App({ state, apiClient, children }: AppProps) {
  const [queryClient] = useState(() => createQueryClient(state.entries));
  const [pageMemory] = useState(() => createPageMemory(state.refusedForm));
  return (
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
        <trpc.Provider client={apiClient} queryClient={queryClient}>
          <QueryClientProvider client={queryClient}>
            <ToastProvider>
              <SiteContext value={state.site}>
                <PageMemoryContext value={pageMemory}>{children}</PageMemoryContext>
              </SiteContext>
            </ToastProvider>
            <Tooltips />
          </QueryClientProvider>
        </trpc.Provider>
      </MantineProvider>
    </StrictMode>
  );
}
