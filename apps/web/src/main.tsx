import './styles/fonts.css';
import './styles/mantine.css';
import './styles/tokens.css';
import './styles/document.css';
import './styles/shared.css';
import './styles/mantine-overrides.css';
// oxlint-disable-next-line import/no-unassigned-import -- it imports styles
import './lazy-styles.ts';
import { restLink } from '@agent-registry/client/rest-link';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './App.tsx';
import { lazyQrCode } from './components/lazy-qr-code.ts';
import { lazyBadgeSnippets } from './features/agent/lazy-badge-snippets.ts';
import { lazyCodeExamples } from './features/agent/lazy-code-examples.ts';
import { lazyFactStrip } from './features/agent/lazy-fact-strip.ts';
import { lazyHistory } from './features/agent/lazy-history.ts';
import { lazyKnownFacts } from './features/agent/lazy-known-facts.ts';
import { lazyMoreAgents } from './features/agent/lazy-more-agents.ts';
import { lazyViewsChart } from './features/agent/lazy-views-chart.ts';
import { lazyAgentRows } from './features/browse/lazy-agent-rows.ts';
import { lazyEmptyState } from './features/browse/lazy-empty-state.ts';
import { lazyJumpLinks, lazyPageLinks } from './features/browse/lazy-page-links.ts';
import { lazyComparisonPage } from './pages/lazy-comparison-page.ts';
import { lazyTrayPanel } from './features/compare/lazy-tray-panel.ts';
import { lazyKeyList } from './features/keys/lazy-key-list.ts';
import { lazyOwnAgents } from './features/owner/lazy-own-agents.ts';
import { lazyRegisterAgain } from './features/register/lazy-register-again.ts';
import { lazyRegisterForm } from './features/register/lazy-register-form.ts';
import { lazySearchOperators } from './features/search-help/lazy-search-operators.ts';
import { lazySuggestions } from './features/suggest/lazy-suggestions.ts';
import { lazyToaster } from './features/toasts/lazy-toaster.ts';
import { lazyTooltipLayer } from './features/tooltips/lazy-tooltip-layer.ts';
import { lazyNewAgentsStrip } from './features/visits/lazy-new-agents-strip.ts';
import { lazyNavDrawer } from './pages/layout/lazy-nav-drawer.ts';
import { whenIdle } from './lib/when-idle.ts';
import { initHistoryEntry } from './navigation/location-state.ts';
import { lazyAgentPage } from './pages/lazy-agent-page.ts';
import { lazyManageAgent } from './pages/lazy-manage-agent.ts';
import { lazyOwnAgentPage } from './pages/lazy-own-agent-page.ts';
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
void preload();

/** Loads the remaining code when the browser is idle, one chunk after the other. */
async function preload(): Promise<void> {
  await whenIdle();
  // Without it nothing is new.
  await import('./features/visits/watch-visits.ts').then(({ watchVisits }) => watchVisits()).catch(() => {});
  for (const { load } of [
    lazyRegisterForm,
    lazyAgentPage,
    lazyAgentRows,
    lazyEmptyState,
    lazyPageLinks,
    lazyJumpLinks,
    lazyFactStrip,
    lazyKnownFacts,
    lazyCodeExamples,
    lazyHistory,
    lazyMoreAgents,
    lazyManageAgent,
    lazyOwnAgentPage,
    lazyViewsChart,
    lazyOwnAgents,
    lazyTrayPanel,
    lazyComparisonPage,
    lazyRegisterAgain,
    lazyNavDrawer,
    lazyToaster,
    lazyTooltipLayer,
    lazyQrCode,
    lazyBadgeSnippets,
    lazySuggestions,
    lazySearchOperators,
    lazyKeyList,
    lazyNewAgentsStrip,
  ]) {
    // Loaded again when it is rendered.
    await load().catch(() => {});
  }
}
