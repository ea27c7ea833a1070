import '@fontsource-variable/inter/wght.css';
import './mantine.css';
import './styles.css';
import { restLink } from '@agent-registry/client';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './App.tsx';
import { preloadLazyComponents } from './lazy/lazy-components.ts';
import { prepareFirstPlace } from './navigation/history-entries.ts';
import { Pages } from './routes.tsx';
import { readPageState } from './ssr/page-state.ts';

// zod, which comes later, is not to ask the browser whether it may compile schemas: the content security policy says no, and
// reports it. Its own `z.config` would be too late for schemas in a file that happens to run before.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

prepareFirstPlace();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id root.');
const app = (
  <App state={readPageState()} link={restLink({ url: '' })}>
    <BrowserRouter>
      <Pages />
    </BrowserRouter>
  </App>
);
// The development server does not render pages.
if (root.firstElementChild) hydrateRoot(root, app);
else createRoot(root).render(app);
void preloadLazyComponents();
