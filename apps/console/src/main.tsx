import '@mantine/core/styles.css';
import '@agent-registry/web/src/styles/fonts.css';
import '@agent-registry/web/src/styles/tokens.css';
import '@agent-registry/web/src/styles/document.css';
import '@agent-registry/web/src/styles/shared.css';
import './console.css';
import { defaultSiteConfig } from '@agent-registry/contracts';
import { cssVariablesResolver, toTheme } from '@agent-registry/web/src/theme.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './App.tsx';
import { ApiContext, createApi, createQueryClient } from './api.ts';
import { VerbsProvider } from './VerbsProvider.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The document has no element with the id root.');
const queryClient = createQueryClient();

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={toTheme(defaultSiteConfig)}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <ApiContext value={createApi(queryClient)}>
          <VerbsProvider>
            <BrowserRouter>
              <App />
            </BrowserRouter>
          </VerbsProvider>
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
