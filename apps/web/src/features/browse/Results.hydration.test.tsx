import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { hydrate, queries } from '../../testing/render.tsx';
import { Results } from './Results.tsx';
import { useList } from './use-list.ts';

const agent = makeAgent({ description: 'Write to desk@example.com.' });

function Page() {
  return (
    <>
      <input aria-label="Note" />
      <Results list={useList()} />
    </>
  );
}

test('a text of an agent that a proxy has changed is rendered anew, and what was typed beside it stays', async () => {
  // React tells of the difference.
  const expectError = (event: ErrorEvent) => event.preventDefault();
  window.addEventListener('error', expectError);
  onTestFinished(() => window.removeEventListener('error', expectError));
  let typedInto: HTMLInputElement | null = null;
  const page = { agents: [agent], total: 1 };
  hydrate(
    <Page />,
    (container) => {
      typedInto = container.querySelector('input');
      typedInto!.value = 'typed';
      container.querySelector('article p')!.textContent = 'Write to [email protected].';
    },
    {
      entries: [[[...queries.agents.list.queryOptions().queryKey, 'pages', {}], { pages: [page], pageParams: [] }]],
    },
  );
  expect(await screen.findByText('Write to desk@example.com.')).toBeTruthy();
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Note' });
  expect(field).toBe(typedInto);
  expect(field.value).toBe('typed');
});
