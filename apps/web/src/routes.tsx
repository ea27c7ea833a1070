import { AGENT_PAGE_PATH } from '@agent-registry/contracts';
import { useState } from 'react';
import { useLocation, useRoutes, type RouteObject } from 'react-router-dom';
import { AgentSkeleton } from './features/agent/AgentSkeleton.tsx';
import { Layout } from './pages/layout/Layout.tsx';
import { lazyManageLink } from './features/owner/lazy-components.ts';
import { useSiteConfig } from './lib/site.ts';
import { useHydrated } from './lib/use-hydrated.ts';
import { NotFoundPage } from './pages/MessageCard.tsx';
import { createLazyComponent } from './components/lazy-component.tsx';

export const lazyAgentPage = createLazyComponent(async () => (await import('./pages/AgentPage.tsx')).AgentPage);

export const lazyHomePage = createLazyComponent(async () => (await import('./pages/HomePage.tsx')).loadHomePage());

const routes: RouteObject[] = [
  {
    element: <Layout />,
    children: [
      { path: '/', element: <HomeRoute /> },
      { path: AGENT_PAGE_PATH, caseSensitive: true, element: <AgentRoute /> },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];

export function Pages() {
  return useRoutes(routes);
}

function HomeRoute() {
  const { name } = useSiteConfig();
  const title = <title>{name}</title>;
  return (
    <lazyHomePage.Component
      fallback={<div aria-busy>{title}</div>}
      failure={<>{title}The page could not be loaded.</>}
    />
  );
}

function AgentRoute() {
  const { name } = useSiteConfig();
  const title = <title>{name}</title>;
  return (
    <>
      <KeyOfLink />
      <lazyAgentPage.Component
        fallback={
          <>
            {title}
            <AgentSkeleton />
          </>
        }
        failure={<>{title}The page could not be loaded.</>}
      />
    </>
  );
}

/** Keeps the key of a link, and says so. Beside the page, which React would render anew if it changed before its hydration. */
function KeyOfLink() {
  const { pathname, search, hash } = useLocation();
  // The server does not know the fragment of an address.
  const isHydrated = useHydrated();
  const page = pathname + search;
  // The page that a link with a key has opened, also once the key has left the address.
  const [opened, setOpened] = useState<string>();
  if (isHydrated && hash.startsWith('#manage=') && opened !== page) setOpened(page);
  if (opened !== page) return null;
  return <lazyManageLink.Component key={page} failure="The key in this link could not be checked." />;
}
