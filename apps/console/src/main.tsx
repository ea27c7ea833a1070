import '@mantine/core/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './App.tsx';
import { ApiContext, createApi, createQueryClient } from './api.ts';
import { ChangesProvider } from './ChangesProvider.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The document has no element with the id root.');
const queryClient = createQueryClient();

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <ApiContext value={createApi(queryClient)}>
          <ChangesProvider>
            <BrowserRouter>
              <App />
            </BrowserRouter>
          </ChangesProvider>
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
