import { TOOLTIP_DELAY, TOOLTIP_SKIP_DELAY } from '@agent-registry/contracts';
import { FloatingDelayGroup } from '@floating-ui/react';
import { MantineProvider, Tooltip } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ToastProvider } from './features/toasts/ToastProvider.tsx';
import { createPageMemory, PageMemoryContext } from './page-memory.ts';
import { cssVariablesResolver, theme } from './theme.ts';
import { createApiClient, createQueryClient, trpc } from './trpc.ts';

/** Everything the pages need around them: theme, calls and their cache, tooltips and toasts. */
export function App({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [apiClient] = useState(createApiClient);
  const [pageMemory] = useState(createPageMemory);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <trpc.Provider client={apiClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          {/* Mantine's group has no time-out of its own; floating-ui's, within it, has. */}
          <Tooltip.Group openDelay={TOOLTIP_DELAY}>
            <FloatingDelayGroup delay={{ open: TOOLTIP_DELAY, close: 0 }} timeoutMs={TOOLTIP_SKIP_DELAY}>
              <ToastProvider>
                <PageMemoryContext value={pageMemory}>{children}</PageMemoryContext>
              </ToastProvider>
            </FloatingDelayGroup>
          </Tooltip.Group>
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  );
}
