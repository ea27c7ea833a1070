import { readToday, SiteConfigContext, SiteContext, type Site } from '@agent-registry/web/src/lib/site.ts';
import { Alert, Button, Container, Group, Text, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { NavLink, Route, Routes } from 'react-router-dom';
import { useApi } from './api.ts';
import { LoadState } from './components/LoadState.tsx';
import { OpenEntry } from './components/OpenEntry.tsx';
import { EntryPage } from './pages/EntryPage.tsx';
import { QueuePage, ReportsPage } from './pages/ReviewPages.tsx';
import { useVerbs } from './VerbsProvider.tsx';

export function App() {
  const { queries } = useApi();
  const session = useQuery(queries.session.queryOptions(undefined, { staleTime: Infinity }));
  const queue = useQuery(queries.queue.list.queryOptions());
  const reports = useQuery(queries.reports.list.queryOptions());
  const [site] = useState((): Site => ({ origin: '', isPaged: false, registration: 'open', today: readToday() }));
  useEffect(() => {
    if (session.data) document.title = `Console – ${session.data.siteConfig.name}`;
  }, [session.data]);
  if (!session.data) return <LoadState query={session} />;
  const { by, siteConfig } = session.data;
  const pages = [
    { to: '/', label: 'Queue', count: queue.data?.total },
    { to: '/reports', label: 'Reports', count: reports.data?.total },
  ];
  return (
    <SiteConfigContext value={siteConfig}>
      <SiteContext value={site}>
        <header className="ink header">
          <Container size="xl" py="xs">
            <Group justify="space-between">
              <Text fw={650}>{siteConfig.name}</Text>
              <Group component="nav" aria-label="Pages" gap="lg">
                {pages.map(({ to, label, count }) => (
                  <NavLink key={to} to={to}>
                    {label} <b>{count}</b>
                  </NavLink>
                ))}
              </Group>
              <OpenEntry />
              <Group>
                <Text c="var(--muted-text)">You are {by}</Text>
                <SchemeButton />
              </Group>
            </Group>
          </Container>
        </header>
        <Container component="main" size="xl" py="sm">
          <Status />
          <Routes>
            <Route path="/" element={<QueuePage />} />
            <Route path="/reports" element={<ReportsPage />} />
            <Route path="/agents/:id" element={<EntryPage />} />
            <Route path="*" element={<Text>There is nothing at this address.</Text>} />
          </Routes>
        </Container>
      </SiteContext>
    </SiteConfigContext>
  );
}

function Status() {
  const { status, undo, act, isPending } = useVerbs();
  return (
    <div aria-live="polite">
      {status && (
        <Alert color={status.isError ? 'red' : 'gray'} variant="outline" mb="lg">
          <Group justify="space-between">
            <Text className="text" c={status.isError ? 'var(--mantine-color-error)' : undefined}>
              {status.text}
            </Text>
            {undo && (
              <Button variant="default" onClick={() => void act(undo)} loading={isPending}>
                Undo
              </Button>
            )}
          </Group>
        </Alert>
      )}
    </div>
  );
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <Button variant="default" onClick={() => setColorScheme(other)}>
      {other === 'dark' ? 'Dark' : 'Light'} colours
    </Button>
  );
}
