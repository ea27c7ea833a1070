import '@fontsource-variable/inter/wght.css';
import './mantine.css';
import './styles.css';
import { restLink } from '@agent-registry/client';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './App.tsx';
import { fetchInParts } from './fetch-in-parts.ts';
import { prepareFirstPlace } from './navigation/history-entries.ts';
import { readPageState } from './ssr/page-state.ts';
import { preloadLazyComponents } from './lazy/lazy-components.ts';
import { Pages } from './routes.tsx';

// zod, which comes later, is not to ask the browser whether it may compile schemas: the content security policy says no, and
// reports it. Its own `z.config` would be too late for schemas in a file that happens to run before.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// Later than all that the module does by itself, so that the visitor's acts come in between.
setTimeout(takeOver);

function takeOver(): void {
  prepareFirstPlace();
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no element with the id root.');
  const app = (
    <App state={readPageState()} link={restLink({ url: '', fetch: fetchInParts })}>
      <BrowserRouter>
        <Pages />
      </BrowserRouter>
    </App>
  );
  // The development server sends the page empty.
  if (root.firstElementChild) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
  void preloadLazyComponents();
}
