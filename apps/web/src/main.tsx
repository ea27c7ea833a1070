import './styles/fonts.css';
import './styles/mantine.css';
import './styles/tokens.css';
import './styles/document.css';
import './styles/shared.css';
import './styles/mantine-overrides.module.css';
import { restLink } from '@agent-registry/client/rest-link';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './App.tsx';
import { whenIdle } from './lib/when-idle.ts';
import { loadOnIntent } from './load-on-intent.ts';
import { initHistoryEntry } from './navigation/location-state.ts';
import { Pages } from './routes.tsx';
import { readPageState } from './pages/page-state.ts';

initHistoryEntry();
const state = readPageState();
const root = document.getElementById('root');
if (!root) throw new Error('The document has no element with the id root.');
const app = (
  <App state={state} link={restLink({ url: '', credentials: 'include' })}>
    <BrowserRouter>
      <Pages />
    </BrowserRouter>
  </App>
);
// As a transition, hydration yields to the visitor's input. The development server does not render pages.
if (root.firstElementChild) startTransition(() => void hydrateRoot(root, app));
else createRoot(root).render(app);
void loadOnIntent();
void whenIdle()
  .then(() => import('./features/visits/watch-visits.ts'))
  // Without it nothing is new.
  .then(
    ({ watchVisits }) => watchVisits(),
    () => {},
  );
