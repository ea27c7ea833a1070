import { defaultCategories, type Suggestions as Found } from '@agent-registry/contracts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useLocation } from 'react-router-dom';
import { lazySuggestions, SearchField } from '../SearchField.tsx';
import { createLazyComponent } from '../lazy-component.tsx';
import { render } from '../../testing/render.tsx';

const found: Found = {
  agents: [{ id: '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f', name: 'Front Desk', category: 'chatbot' }],
  capabilities: ['front office'],
  categories: [{ id: 'vision', name: 'Computer Vision' }],
};

function Address() {
  const { pathname, search } = useLocation();
  return <p>{pathname + search}</p>;
}

type Request = { q: string | null; signal: AbortSignal | null | undefined };

/** Renders a search field with the focus. */
async function setUp(respond: () => Promise<Response> = async () => Response.json(found)) {
  await lazySuggestions.load();
  const requests: Request[] = [];
  const fetch = async (input: unknown, init?: RequestInit) => {
    requests.push({ q: new URL(input as string, 'http://localhost').searchParams.get('q'), signal: init?.signal });
    return respond();
  };
  render(
    <>
      <SearchField size="md" placeholder="Search agents..." />
      <Address />
    </>,
    { fetch },
  );
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Search agents' });
  await act(async () => field.focus());
  const type = (value: string) => fireEvent.input(field, { target: { value } });
  const press = (key: string) => fireEvent.keyDown(field, { key });
  return { field, requests, type, press, address: screen.getByText('/') };
}

const listOptions = () => screen.queryAllByRole('option').map((option) => option.textContent);

test('the arrow keys reach every suggestion, and the number is announced', async () => {
  const { field, type, press } = await setUp();
  type('fr');
  await screen.findByRole('option', { name: /Front Desk/ });
  expect(screen.getAllByRole('group').map((group) => group.textContent)).toHaveLength(4);
  expect(screen.getByText('4 suggestions').getAttribute('aria-live')).toBe('polite');
  expect(field.getAttribute('aria-expanded')).toBe('true');
  expect(document.getElementById(field.getAttribute('aria-controls') ?? '')?.getAttribute('role')).toBe('listbox');
  const seen: (string | null | undefined)[] = [];
  for (let step = 0; step < 4; step += 1) {
    press('ArrowDown');
    seen.push(document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent);
  }
  expect(seen).toEqual([
    'FDFront Desk Chatbots & Conversational AI',
    'front office',
    'Computer Vision',
    'Search all agents for ‘fr’',
  ]);
  press('ArrowUp');
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('Computer Vision');
});

test.each([
  ['an agent', 1, `/agent/${found.agents[0]!.id}`],
  ['a capability', 2, '/?q=front+office'],
  ['a category', 3, '/?category=vision'],
  ['the search of all agents', 4, '/?q=fr'],
])('Enter on %s leads there', async (_name, row, path) => {
  const { type, press, address } = await setUp();
  type('fr');
  await screen.findByRole('option', { name: /Front Desk/ });
  for (let step = 0; step < row; step += 1) press('ArrowDown');
  press('Enter');
  await waitFor(() => expect(address.textContent).toBe(path));
  expect(listOptions()).toEqual([]);
});

test('text that is typed before the list is loaded is answered too', async () => {
  type Loaded = Awaited<ReturnType<typeof lazySuggestions.load>>;
  const { promise: loaded, resolve: finish } = Promise.withResolvers<Loaded>();
  const component = vi.spyOn(lazySuggestions, 'Component');
  component.mockImplementation(createLazyComponent(() => loaded).Component as never);
  onTestFinished(() => component.mockRestore());
  const { type } = await setUp();
  await act(async () => type('fr'));
  await act(async () => finish(await lazySuggestions.load()));
  await screen.findByRole('option', { name: /Front Desk/ });
});

test('Escape closes the list and leaves the text; the next one clears it', async () => {
  const { field, type, press } = await setUp();
  type('fr');
  await screen.findByRole('option', { name: /Front Desk/ });
  press('Escape');
  await waitFor(() => expect(listOptions()).toEqual([]));
  expect([field.value, field.getAttribute('aria-expanded')]).toEqual(['fr', 'false']);
  press('Escape');
  expect(field.value).toBe('');
});

test('a request is aborted by the next one, and one letter requests nothing', async () => {
  const { requests, type } = await setUp(() => new Promise(() => {}));
  type('f');
  type('fr');
  await waitFor(() => expect(requests).toHaveLength(1));
  type('fro');
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(requests.map(({ q, signal }) => [q, signal?.aborted])).toEqual([
    ['fr', true],
    ['fro', false],
  ]);
});

test('while an input method composes, nothing is shown', async () => {
  const { field, type } = await setUp();
  type('fr');
  await screen.findByRole('option', { name: /Front Desk/ });
  fireEvent.compositionStart(field);
  await waitFor(() => expect(listOptions()).toEqual([]));
  fireEvent.compositionEnd(field);
  await screen.findByRole('option', { name: /Front Desk/ });
});

test('the empty field offers the last three searches, then the categories', async () => {
  const { field, type, address } = await setUp();
  for (const text of ['one', 'two', 'three', 'two', 'four']) {
    type(text);
    fireEvent.submit(field.form!);
  }
  type('');
  const names = defaultCategories.map(({ name }) => name);
  await waitFor(() => expect(listOptions()).toEqual(['four', 'two', 'three', ...names]));
  for (const name of ['Recent searches', 'Categories']) expect(screen.getByRole('group', { name })).toBeTruthy();
  fireEvent.click(screen.getByRole('option', { name: 'Computer Vision' }));
  await waitFor(() => expect(address.textContent).toBe('/?category=vision'));
});

test('without an answer the search itself is offered', async () => {
  const { type } = await setUp(async () => new Response('', { status: 500 }));
  type('fr');
  await screen.findByRole('option');
  expect(listOptions()).toEqual(['Search all agents for ‘fr’']);
});
