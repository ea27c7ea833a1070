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
import { lazyConnect, lazyHistory, lazyKnownFacts, lazyMoreAgents } from './features/agent/lazy-components.ts';
import { lazyToaster } from './features/toasts/ToastProvider.tsx';
import { whenIdle } from './lib/when-idle.ts';
import { Pages, lazyAgentPage, lazyHomePage } from './routes.tsx';
import { lazyChosenPage, lazyManageAgent, lazyNavDrawer } from './pages/lazy-parts.ts';
import { initHistoryEntry } from './navigation/location-state.ts';
import { readPageState } from './pages/page-state.ts';

type Lazy = { load: () => Promise<unknown> };

const agentPage: Lazy[] = [lazyAgentPage, lazyConnect, lazyHistory, lazyKnownFacts, lazyMoreAgents];

const codeBehind: [string, Lazy[]][] = [
  ['a[href^="/agent/"]', agentPage],
  ['a[href*="?manage="]', [lazyManageAgent]],
  ['a[href="/"], a[href^="/?"], a[href^="/#"]', [lazyHomePage]],
  ['a[href*="compare="], a[href*="keep="]', [lazyChosenPage]],
  ['[aria-haspopup="dialog"]', [lazyNavDrawer]],
];

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

/**
 * Loads the code behind a control when the pointer or the focus is on it, and on the home page that of toasts and of the
 * agents' pages when the browser is idle: both also show offline. Nothing is loaded ahead for visitors who save data.
 */
async function loadOnIntent(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  for (const type of ['pointerover', 'focusin']) {
    document.addEventListener(type, ({ target }) => {
      if (!(target instanceof Element)) return;
      for (const [selector, code] of codeBehind) if (target.closest(selector)) void load(code);
    });
  }
  if (window.location.pathname !== '/') return;
  await whenIdle();
  await load([lazyToaster, ...agentPage]);
}

/** Code that could not be loaded is loaded again when it is rendered. */
function load(code: readonly Lazy[]): Promise<unknown> {
  return Promise.allSettled(code.map((lazy) => lazy.load()));
}
