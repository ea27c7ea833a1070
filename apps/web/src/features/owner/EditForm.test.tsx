import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { keepKey } from '../../components/owner-keys.ts';
import { hydrate, render } from '../../testing/render.tsx';
import { EditForm } from './EditForm.tsx';

/** Responds to reads with the agent, once `loaded` is resolved, and notes the patches that are sent. */
function startRegistry(agent: Agent, loaded?: Promise<void>) {
  const reads: unknown[] = [];
  const patches: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    if (init?.method === 'PATCH') {
      const patch = JSON.parse(init.body as string) as Partial<Agent>;
      patches.push(patch);
      return new Response(JSON.stringify({ ...agent, ...patch }));
    }
    await loaded;
    reads.push(agent.id);
    return new Response(JSON.stringify(agent), { headers: { ETag: '"1"' } });
  };
  return { reads, patches, fetch };
}

const type = (name: RegExp, value: string) => fireEvent.change(field(name), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });

test('texts that are typed while the entry is read stay, the key included, and the other fields get its values', async () => {
  const agent = makeAgent({ name: 'Desk', description: 'Answers.', website: null });
  const { promise: loaded, resolve } = Promise.withResolvers<void>();
  const { patches, fetch } = startRegistry({ ...agent, website: 'https://example.com/' }, loaded);
  render(<EditForm agent={agent} />, { fetch });
  const key = createManagementKey();
  type(/Agent Name/, 'Desk 24');
  type(/Management key/, key);
  resolve();
  await waitFor(() => expect(field(/Website/).value).toBe('https://example.com/'));
  expect(field(/Agent Name/).value).toBe('Desk 24');
  expect(field(/Management key/).value).toBe(key);

  save();
  await waitFor(() => expect(patches).toEqual([{ name: 'Desk 24' }]));
});

test('texts that are typed before the form is hydrated stay, the key included', async () => {
  const agent = makeAgent({ name: 'Desk', description: 'Answers.' });
  const { patches, fetch } = startRegistry(agent);
  const key = createManagementKey();
  const early = (container: HTMLElement) => {
    container.querySelector<HTMLInputElement>('[name=name]')!.value = 'Desk 24';
    container.querySelector<HTMLTextAreaElement>('[name=description]')!.value = 'Answers.\nAlways.';
    container.querySelector<HTMLInputElement>('[name=key]')!.value = key;
  };
  hydrate(<EditForm agent={agent} />, early, { fetch });
  await screen.findByText('Preview');
  expect([field(/Agent Name/).value, field(/Management key/).value]).toEqual(['Desk 24', key]);
  save();
  await waitFor(() => expect(patches).toEqual([{ name: 'Desk 24', description: 'Answers.\nAlways.' }]));
});

test('an entry that was changed meanwhile gets its new values but for what was typed, and is saved then', async () => {
  const agent = makeAgent({ name: 'Desk', description: 'Answers.' });
  const renamed = { ...agent, name: 'Front Desk', description: 'Answers calls.' };
  const sent: [ifMatch: string | null, patch: unknown][] = [];
  const reads: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const isFirst = sent.length === 0;
    if (init?.method !== 'PATCH') {
      reads.push(agent.id);
      return new Response(JSON.stringify(isFirst ? agent : renamed), { headers: { ETag: isFirst ? '"1"' : '"2"' } });
    }
    sent.push([new Headers(init.headers).get('if-match'), JSON.parse(init.body as string)]);
    return isFirst ? new Response('It has changed.', { status: 412 }) : new Response(JSON.stringify(renamed));
  };
  render(<EditForm agent={agent} />, { fetch });
  await waitFor(() => expect(reads).toHaveLength(1));
  type(/Description/, 'Mine.');
  type(/Management key/, createManagementKey());
  save();
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Not savedThis entry was changed meanwhile\./);
  expect([field(/Agent Name/).value, field(/Description/).value]).toEqual(['Front Desk', 'Mine.']);
  save();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toEqual([
    ['"1"', { description: 'Mine.' }],
    ['"2"', { description: 'Mine.' }],
  ]);
});

test('a wrong key is not kept without a change, and the owner can enter another one', async () => {
  const agent = makeAgent();
  const right = createManagementKey();
  keepKey({ id: agent.id, name: agent.name, key: createManagementKey() });
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const key = new Headers(init?.headers).get('authorization');
    const isRight = init?.method !== 'PATCH' || key === `Bearer ${right}`;
    return isRight ? new Response(JSON.stringify(agent)) : new Response('The key is wrong.', { status: 401 });
  };
  render(<EditForm agent={agent} />, { fetch });
  expect(screen.queryByRole('textbox', { name: /Management key/ })).toBeNull();
  save();
  expect((await screen.findByRole('alert')).textContent).toBe('Not savedThe key is wrong.');
  type(/Management key/, right);
  save();
  await screen.findByText('The entry shows your changes now.');
  expect(window.localStorage.getItem('agent-registry.own-agents')).toContain(right);
});

test('an entry that is older than the rules can be changed in its other fields', async () => {
  const agent = makeAgent({ name: `Old\u202E ${'x'.repeat(120)}`, description: 'Answers.' });
  const { reads, patches, fetch } = startRegistry(agent);
  render(<EditForm agent={agent} />, { fetch });
  await waitFor(() => expect(reads).toHaveLength(1));
  type(/Description/, 'Answers. Always.');
  type(/Management key/, createManagementKey());
  save();
  await waitFor(() => expect(patches).toEqual([{ description: 'Answers. Always.' }]));
});

test('a field of an old entry that is edited has to follow the rules', async () => {
  const agent = makeAgent({ name: 'x'.repeat(120) });
  const { reads, patches, fetch } = startRegistry(agent);
  render(<EditForm agent={agent} />, { fetch });
  await waitFor(() => expect(reads).toHaveLength(1));
  type(/Agent Name/, 'y'.repeat(120));
  type(/Management key/, createManagementKey());
  save();
  await screen.findByText('Some fields are not right yet:');
  expect(patches).toEqual([]);
});
