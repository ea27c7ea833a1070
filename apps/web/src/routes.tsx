import { AGENT_PAGE_PATH, BRAND } from '@agent-registry/contracts';
import { Container } from '@mantine/core';
import { useRoutes, type RouteObject } from 'react-router-dom';
import { AgentSkeleton } from './features/agent/AgentSkeleton.tsx';
import { Layout } from './layout/Layout.tsx';
import { HomePage } from './pages/HomePage.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { LazyBoundary } from './lazy/LazyBoundary.tsx';
import { agentPage } from './lazy/lazy-components.ts';

// As the page itself has it while it reads the agent.
const title = <title>{BRAND}</title>;

const agent = (
  <LazyBoundary
    load={agentPage.load}
    fallback={
      <Container size="lg" py="xl">
        {title}
        <AgentSkeleton />
      </Container>
    }
    failure={<>{title}The page could not be loaded.</>}
  >
    <agentPage.Component />
  </LazyBoundary>
);

/** The screens by path. */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    children: [
      { path: '/', element: <HomePage /> },
      { path: AGENT_PAGE_PATH, caseSensitive: true, element: agent },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];

/** The screen at the address. */
export function Pages() {
  return useRoutes(routes);
}
