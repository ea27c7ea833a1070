import { TOOLTIP_DELAY, TOOLTIP_SKIP_DELAY } from '@agent-registry/contracts';
import { FloatingDelayGroup } from '@floating-ui/react';
import { MantineProvider, Tooltip } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useState, type ReactNode } from 'react';
import { ToastProvider } from './features/toasts/ToastProvider.tsx';
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
            {/* Mantine's group has no time-out of its own; floating-ui's, within it, has. */}
            <Tooltip.Group openDelay={TOOLTIP_DELAY}>
              <FloatingDelayGroup delay={{ open: TOOLTIP_DELAY, close: 0 }} timeoutMs={TOOLTIP_SKIP_DELAY}>
                <ToastProvider>
                  <SiteContext value={state.site}>
                    <PageMemoryContext value={pageMemory}>{children}</PageMemoryContext>
                  </SiteContext>
                </ToastProvider>
              </FloatingDelayGroup>
            </Tooltip.Group>
          </QueryClientProvider>
        </trpc.Provider>
      </MantineProvider>
    </StrictMode>
  );
}
