import type { RouteObject } from 'react-router-dom';
import { Layout } from './layout/Layout.tsx';
import { AgentPage } from './pages/AgentPage.tsx';
import { HomePage } from './pages/HomePage.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';

/** The screens by path. */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    children: [
      { path: '/', element: <HomePage /> },
      { path: '/agent/:id', caseSensitive: true, element: <AgentPage /> },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];
