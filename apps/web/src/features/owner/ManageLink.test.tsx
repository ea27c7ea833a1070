import { AGENT_PAGE_PATH, createManagementKey } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen, waitFor } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { expect, test } from 'vitest';
import { keepKey, useOwnAgents } from '../../components/owner-keys.ts';
import { useOwnName } from '../../pages/AgentPage.tsx';
import { render } from '../../testing/render.tsx';
import { ManageLink } from './ManageLink.tsx';

const agent = makeAgent({ name: 'Desk' });
const [kept, linked] = [createManagementKey(), createManagementKey()];

function Page({ isHeld }: { isHeld: boolean }) {
  // A held agent is on no page.
  useOwnName(agent.id, isHeld ? undefined : agent);
  const { hash } = useLocation();
  const keys = useOwnAgents().map((own) => [own.id, own.key, own.isHeld ?? false]);
  return (
    <>
      <output>{JSON.stringify({ hash, keys })}</output>
      <Routes>
        <Route path={AGENT_PAGE_PATH} element={<ManageLink />} />
      </Routes>
    </>
  );
}

/** Opens a link with a key; the registry responds to it with a status. @returns what the page shows */
function open({ status, owned }: { status: number; owned?: string }) {
  if (owned !== undefined) keepKey({ id: agent.id, name: agent.name, key: owned });
  const sent: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    sent.push(new Headers(init?.headers).get('authorization'));
    if (status === 0) throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(agent), { status });
  };
  render(<Page isHeld={status === 202} />, { url: `/agent/${agent.id}#manage=${linked}`, fetch });
  const shown = () => JSON.parse(screen.getAllByRole('status')[0]?.textContent ?? '') as unknown;
  return { sent, shown };
}

test.each([
  [200, false],
  [202, true],
])(
  'a key that the registry answers with %i takes the place of the kept one, and leaves the address',
  async (status, isHeld) => {
    const { sent, shown } = open({ status, owned: kept });
    await waitFor(() => expect(shown()).toMatchObject({ hash: '' }));
    expect(sent).toEqual([`Bearer ${linked}`]);
    expect(shown()).toEqual({ hash: '', keys: [[agent.id, linked, isHeld]] });
  },
);

test.each([401, 404, 410])(
  'a key that the registry answers with %i is not kept, and a sentence says so',
  async (status) => {
    const { shown } = open({ status, owned: kept });
    expect(await screen.findByText('The key in this link is not the key of this entry and is not kept.')).toBeTruthy();
    await waitFor(() => expect(shown()).toEqual({ hash: '', keys: [[agent.id, kept, false]] }));
  },
);

test('a link that was cut short says so, and leaves the address', async () => {
  const fetch: typeof globalThis.fetch = async () => Response.error();
  render(<Page isHeld={false} />, { url: `/agent/${agent.id}#manage=${linked.slice(0, -4)}`, fetch });
  expect(await screen.findByText(/^This link is not whole/)).toBeTruthy();
  await waitFor(() => expect(screen.getAllByRole('status')[0]?.textContent).toBe('{"hash":"","keys":[]}'));
});

test('a wrong key is not kept where there is none', async () => {
  const { shown } = open({ status: 401 });
  await waitFor(() => expect(shown()).toEqual({ hash: '', keys: [] }));
});

test.each([0, 429, 503])(
  'a key that cannot be checked (%i) stays in the address, and the kept one in the browser',
  async (status) => {
    const { shown } = open({ status, owned: kept });
    await screen.findByText('The key in this link could not be checked. Reload the page to try again.');
    expect(shown()).toEqual({ hash: `#manage=${linked}`, keys: [[agent.id, kept, false]] });
  },
);

test('an accepted link says that this browser can edit the agent, and takes the focus', async () => {
  open({ status: 200 });
  const notice = (await screen.findByText(/^This browser can edit/)).closest('[role=status]');
  expect(notice?.textContent).toBe('This browser can edit Desk now.EditWithdraw');
  expect(document.activeElement).toBe(notice);
  expect(screen.getByRole('link', { name: 'Edit' }).getAttribute('href')).toBe(`/agent/${agent.id}?manage=edit`);
});
