import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../../testing/render.tsx';
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
