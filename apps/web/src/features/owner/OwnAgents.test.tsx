import { createManagementKey, toManagePath } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { forgetKey, keepKey, type OwnAgent } from '../../components/owner-keys.ts';
import { render } from '../../testing/render.tsx';
import { initialValues, keepLastValues, readLastValues } from '../../components/agent-form/form-values.ts';
import { OwnAgents } from './OwnAgents.tsx';
import { OwnAgentsMenu } from '../../pages/layout/Header.tsx';

const agent = makeAgent({ name: 'Desk' });
const key = createManagementKey();
const own = { id: agent.id, name: agent.name, key };

/** Renders the list with one agent. @returns its item, and the keys that were sent */
function renderList(status: number, kept: OwnAgent = own) {
  keepKey(kept);
  const sent: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    sent.push(new Headers(init?.headers).get('authorization'));
    return new Response(JSON.stringify({ ...agent, name: 'Renamed' }), { status });
  };
  render(<OwnAgents onChoose={() => {}} />, { fetch });
  return { item: screen.getByRole('listitem'), sent };
}

test.each([
  [200, 'Renamedlisted'],
  [202, 'Renamedwaits for review'],
  [404, 'Desknot listed'],
])('an own agent that the registry answers with %i reads "%s", and can be edited', async (status, text) => {
  const { item, sent } = renderList(status);
  await waitFor(() => expect(item.textContent).toContain(text));
  expect(sent).toEqual([`Bearer ${key}`]);
  const edit = within(item).getByRole('link', { name: /^Edit / });
  expect(edit.getAttribute('href')).toBe(toManagePath(agent.id, 'edit'));
});

test.each([429, 500])('the state of an own agent is as last seen where the registry answers %i', async (status) => {
  const { item, sent } = renderList(status, { ...own, isHeld: true });
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(item.textContent).toContain('Deskwaits for review');
});

test('an agent that was withdrawn elsewhere says so, and can be removed with its last values', async () => {
  const { item } = renderList(410);
  keepLastValues(agent.id, initialValues);
  const remove = await within(item).findByRole('button', { name: 'Remove Desk' });
  remove.focus();
  fireEvent.click(remove);
  expect(screen.queryByRole('listitem')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('list'));
  expect(readLastValues(agent.id, [])).toBeUndefined();
});

test('an agent that was withdrawn here says so at once', () => {
  const { item } = renderList(410, { ...own, isWithdrawn: true });
  expect(item.textContent).toContain('Deskwithdrawn');
});

test('the header counts own agents as soon as this browser keeps a key', () => {
  render(<OwnAgentsMenu />);
  expect(screen.queryByRole('button')).toBeNull();
  act(() => keepKey(own));
  expect(screen.getByRole('button', { name: 'Your agents 1' })).toBeTruthy();
  act(() => forgetKey(own.id));
  expect(screen.queryByRole('button')).toBeNull();
});
