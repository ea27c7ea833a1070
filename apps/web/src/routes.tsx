import { AGENT_PAGE_PATH } from '@agent-registry/contracts';
import { Container } from '@mantine/core';
import { useRoutes, type RouteObject } from 'react-router-dom';
import { AgentSkeleton } from './features/agent/AgentSkeleton.tsx';
import { Layout } from './pages/layout/Layout.tsx';
import { LazyBoundary } from './components/LazyBoundary.tsx';
import { useSiteConfig } from './lib/site-config.ts';
import { HomePage } from './pages/HomePage.tsx';
import { lazyAgentPage } from './pages/lazy-agent-page.ts';
import { NotFoundPage } from './pages/NotFoundPage.tsx';

/** The pages by path. */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    children: [
      { path: '/', element: <HomePage /> },
      { path: AGENT_PAGE_PATH, caseSensitive: true, element: <AgentRoute /> },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];

/** Renders the page at the current location. */
export function Pages() {
  return useRoutes(routes);
}

function AgentRoute() {
  const { name } = useSiteConfig();
  const title = <title>{name}</title>;
  return (
    <LazyBoundary
      load={lazyAgentPage.load}
      fallback={
        <Container size="lg" pt="sm" pb="xl">
          {title}
          <AgentSkeleton />
        </Container>
      }
      failure={<>{title}The page could not be loaded.</>}
    >
      <lazyAgentPage.Component />
    </LazyBoundary>
  );
}
