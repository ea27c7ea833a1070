import '@mantine/core/styles.css';
import './console.css';
import { BRAND_COLOUR } from '@agent-registry/contracts';
import { colorsTuple, createTheme, MantineProvider, type CSSVariablesResolver } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './App.tsx';
import { ApiContext, createApi, createQueryClient } from './api.ts';
import { VerbsProvider } from './VerbsProvider.tsx';

/** The look of the console: Mantine's, in the colour of the product. */
const theme = createTheme({
  colors: { brand: colorsTuple(BRAND_COLOUR) },
  primaryColor: 'brand',
  autoContrast: true,
  cursorType: 'pointer',
  respectReducedMotion: true,
  defaultRadius: 'md',
});

/** Replaces the colours of texts that Mantine has with less contrast. */
const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: toVariables({ muted: '#55616e', accent: '#0f6a59', error: '#b3261e' }),
  dark: toVariables({ muted: '#a9b4bf', accent: '#4fd0b3', error: '#ff9a92' }),
});

const root = document.getElementById('root');
if (!root) throw new Error('The document has no element with the id root.');
const queryClient = createQueryClient();

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
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

function toVariables({ muted, accent, error }: Record<'muted' | 'accent' | 'error', string>): Record<string, string> {
  return {
    '--mantine-color-dimmed': muted,
    '--mantine-color-placeholder': muted,
    '--mantine-color-anchor': accent,
    '--mantine-color-error': error,
  };
}
