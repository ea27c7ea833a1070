import { createManagementKey, toManageLink } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { expect, test } from 'vitest';
import { keepKey, useOwnAgent } from '../../components/owner-keys.ts';
import { render } from '../../testing/render.tsx';
import { OwnKeyForm } from './OwnKeyForm.tsx';

const agent = makeAgent({ name: 'Desk' });
const [kept, typed] = [createManagementKey(), createManagementKey()];

function Page() {
  const { search } = useLocation();
  return (
    <>
      <output>{`${useOwnAgent(agent.id)?.key} ${search}`}</output>
      <OwnKeyForm agent={agent} />
    </>
  );
}

/** Enters a text; the registry responds to its key with a status. */
function enter(text: string, status: number) {
  keepKey({ id: agent.id, name: agent.name, key: kept });
  const fetch = async () => new Response(status < 300 ? JSON.stringify(agent) : 'The key is wrong.', { status });
  render(<Page />, { fetch });
  fireEvent.change(screen.getByRole('textbox', { name: /Management key/ }), { target: { value: text } });
  fireEvent.click(screen.getByRole('button', { name: 'Use this key' }));
}

test.each([200, 202])(
  'a link whose key the registry answers with %i is kept, and leads to the form',
  async (status) => {
    enter(`https://registry.example${toManageLink(agent.id, typed)}`, status);
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(`${typed} ?manage=edit`));
  },
);

test.each([
  [typed, 401, 'Not acceptedThe key is wrong.'],
  ['a key', 200, /^Not acceptedEnter the management key/],
])('the text %j that the registry answers with %i leaves the kept key', async (text, status, message) => {
  enter(text, status);
  expect((await screen.findByRole('alert')).textContent).toMatch(message);
  expect(screen.getByRole('status').textContent).toBe(`${kept} `);
});
