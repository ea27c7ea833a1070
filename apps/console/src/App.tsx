import {
  Alert,
  Anchor,
  Button,
  Container,
  Group,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { NavLink, Route, Routes } from 'react-router-dom';
import { useApi } from './api.ts';
import { OpenEntry } from './components/OpenEntry.tsx';
import { EntryPage } from './pages/EntryPage.tsx';
import { QueuePage, ReportsPage } from './pages/ReviewPages.tsx';
import { useVerbs } from './VerbsProvider.tsx';

const pages = [
  { to: '/', label: 'Queue' },
  { to: '/reports', label: 'Reports' },
];

/** The console: its header, what was done last, and the pages. */
export function App() {
  const { queries } = useApi();
  const { data: session } = useQuery(queries.session.queryOptions(undefined, { staleTime: Infinity }));
  useEffect(() => {
    if (session) document.title = `Console – ${session.name}`;
  }, [session]);
  return (
    <>
      <header className="header">
        <Container size="xl" py="sm">
          <Group justify="space-between">
            <Text fw={650}>{session?.name}</Text>
            <Group component="nav" aria-label="Pages" gap="lg">
              {pages.map(({ to, label }) => (
                <Anchor key={to} component={NavLink} to={to} py={10}>
                  {label}
                </Anchor>
              ))}
            </Group>
            <OpenEntry />
            <Group>
              {session && <Text c="dimmed">You are {session.by}</Text>}
              <SchemeButton />
            </Group>
          </Group>
        </Container>
      </header>
      <Container component="main" size="xl" py="lg">
        <Status />
        <Routes>
          <Route path="/" element={<QueuePage />} />
          <Route path="/reports" element={<ReportsPage />} />
          <Route path="/agents/:id" element={<EntryPage />} />
          <Route path="*" element={<Text>There is nothing at this address.</Text>} />
        </Routes>
      </Container>
    </>
  );
}

/** What was done last, and the button that takes it back. */
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
