import { newAgentSchema } from '@agent-registry/contracts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { hydrate, render, respondWith } from '../../testing/render.tsx';
import { initialValues } from '../../components/agent-form/form-values.ts';
import { Register } from './Register.tsx';

const submitButton = () => screen.getByRole('button', { name: 'Register Agent' });

/** Pastes a text, which renders the form once instead of for each key. */
async function paste(user: UserEvent, box: HTMLElement, text: string) {
  await user.click(box);
  await user.paste(text);
}

/** Fills in the form by an event for each field: a visitor's typing renders it for each key and each change of the focus. */
function fillIn(): UserEvent {
  const texts: [RegExp, string][] = [
    [/Agent Name/, 'Front Desk'],
    [/Description/, 'Answers the phone.'],
    [/Contact Email/, 'owner@example.com'],
  ];
  for (const [name, value] of texts) fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
  fireEvent.change(screen.getByRole('combobox', { name: /Category/ }), { target: { value: 'chatbot' } });
  fireEvent.click(screen.getByRole('checkbox'));
  return userEvent.setup();
}

/** The form on a page that can be left and visited again. */
function Pages() {
  const [isHome, setIsHome] = useState(true);
  return (
    <>
      <button onClick={() => setIsHome(!isHome)}>Go</button>
      {isHome && <Register />}
    </>
  );
}

test('where registration is closed, a sentence replaces the form', () => {
  render(<Register />, { site: { registration: 'closed' } });
  expect(screen.getByRole('region', { name: 'Register Your Agent' }).textContent).toBe(
    'Register Your AgentRegistration is closed. Try again later.',
  );
  expect(screen.queryByRole('button')).toBeNull();
});

test('the honeypot is unreachable, sent only if filled in, and cleared for the next attempt', async () => {
  const bodies: unknown[] = [];
  const { container } = render(<Register />, {
    fetch: async (_input, init) => {
      bodies.push(JSON.parse(init?.body as string));
      const isRefused = bodies.length === 1;
      return new Response(isRefused ? 'It is hidden.' : JSON.stringify(makeAgent()), { status: isRefused ? 400 : 201 });
    },
  });
  const hidden = container.querySelector<HTMLInputElement>('input[name="subject"]')!;
  expect(hidden.tabIndex).toBe(-1);
  expect(hidden.autocomplete).toBe('off');
  expect(screen.getAllByRole('textbox')).not.toContain(hidden);

  const user = fillIn();
  fireEvent.change(hidden, { target: { value: 'Cheap watches' } });
  await user.click(submitButton());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Error400: It is hidden.'));
  await user.click(submitButton());
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/^Success!/));
  expect(bodies).toEqual([
    expect.objectContaining({ subject: 'Cheap watches' }),
    expect.not.objectContaining({ subject: '' }),
  ]);
  expect(bodies[1]).not.toHaveProperty('subject');
});

test('the counters count characters as people see them', async () => {
  const { container } = render(<Register />, { fetch: respondWith(200, []) });
  const name = screen.getByRole('textbox', { name: /Agent Name/ });
  const description = screen.getByRole('textbox', { name: /Description/ });
  const counters = () =>
    Array.from(container.querySelectorAll<HTMLElement>('.needs-scripts'), ({ textContent, dataset }) => [
      textContent,
      dataset.over,
    ]);
  fireEvent.change(name, { target: { value: ` ${'👩‍💻'.repeat(60)} ` } });
  fireEvent.change(description, { target: { value: 'สวัสดี\nक्षि' } });
  expect(counters().slice(0, 2)).toEqual([
    ['60 of 100', undefined],
    ['6 of 2,000', undefined],
  ]);
  fireEvent.change(name, { target: { value: '🤖'.repeat(101) } });
  expect(counters()[0]).toEqual(['101 of 100', 'true']);
});

test('a registration is validated once before it is sent', async () => {
  const validations = vi.spyOn(newAgentSchema, 'safeParse');
  const parses = vi.spyOn(newAgentSchema, 'parse');
  onTestFinished(() => void vi.restoreAllMocks());
  render(<Register />, { fetch: respondWith(201, makeAgent()) });
  const user = fillIn();
  validations.mockClear();
  await user.click(submitButton());
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/^Success!/));
  expect(validations).toHaveBeenCalledOnce();
  expect(parses).not.toHaveBeenCalled();
});

test('without the terms nothing is sent, and the browser says so', async () => {
  const calls: string[] = [];
  render(<Register />, { fetch: respondWith(201, makeAgent(), calls) });
  const terms = screen.getByRole<HTMLInputElement>('checkbox');
  const reportValidity = vi.spyOn(terms, 'reportValidity');
  const user = fillIn();
  await user.click(terms);
  await user.click(submitButton());
  await waitFor(() => expect(reportValidity).toHaveReturnedWith(false));
  expect(calls).toEqual([]);
});

test('a panel replaces the form after a success, also after a visit to another page', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  render(<Pages />, { fetch: () => promise });
  const user = fillIn();
  await user.click(submitButton());
  await user.click(screen.getByRole('button', { name: 'Go' }));
  await user.click(screen.getByRole('button', { name: 'Go' }));
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Agent Name/ }).value).toBe('Front Desk');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Registering...' }).disabled).toBe(true);

  const agent = makeAgent({ name: 'Front Desk' });
  resolve(new Response(JSON.stringify(agent), { status: 201 }));
  const panel = await screen.findByRole('group', { name: 'Front Desk is listed' });
  expect(screen.queryByRole('textbox', { name: /Agent Name/ })).toBeNull();
  expect(screen.getByRole('link', { name: 'View' }).getAttribute('href')).toBe(`/agent/${agent.id}`);
  expect(document.activeElement).not.toBe(panel);

  await user.click(screen.getByRole('button', { name: 'Register another' }));
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Agent Name/ }).value).toBe('');
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Register Your Agent' }));
});

test('the panel of a held registration says that it waits, and does not lead to a page', async () => {
  render(<Register />, { fetch: respondWith(202, makeAgent({ name: 'Front Desk' })) });
  const user = fillIn();
  await user.click(submitButton());
  const panel = await screen.findByRole('group', { name: 'Front Desk is registered' });
  expect(panel.textContent).toContain('It waits for the review of the registry’s operator and is not listed yet.');
  expect(screen.queryByRole('link', { name: 'View' })).toBeNull();
});

test('the form keeps a failure as an alert until the next attempt, and the focus goes to the result', async () => {
  const answers = [respondWith(503, 'Not now.'), respondWith(201, makeAgent({ name: 'Front Desk' }))];
  const fetch: typeof globalThis.fetch = async (...call) => {
    await waitFor(() => screen.getByRole('button', { name: 'Registering...' }));
    return answers.shift()!(...call);
  };
  render(<Register />, { fetch });
  const user = fillIn();
  await user.click(submitButton());
  const failure = await screen.findByRole('group', { name: 'Error' });
  expect(failure.textContent).toBe('ErrorNot now.');
  await waitFor(() => expect(document.activeElement).toBe(failure));
  await user.click(submitButton());
  const panel = await screen.findByRole('group', { name: 'Front Desk is listed' });
  await waitFor(() => expect(document.activeElement).toBe(panel));
});

test('a summary names the errors and leads to their fields', async () => {
  render(<Register />);
  const user = fillIn();
  await user.clear(screen.getByRole('textbox', { name: /Agent Name/ }));
  await paste(user, screen.getByRole('textbox', { name: /Website/ }), 'ftp://example.com');
  await user.click(submitButton());
  const summary = await screen.findByRole('alert');
  expect(summary.textContent).toMatch(/^2 fields are not right yet:Name is requiredWebsite must be/);
  expect(document.activeElement).toBe(summary);
  await user.click(screen.getByRole('link', { name: 'Name is required' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Agent Name/ }));
  await user.keyboard('Front Desk');
  expect(summary.textContent).toMatch(/^One field is not right yet:Website must be/);
});

test('a pasted list becomes capabilities, and a website gets its scheme', async () => {
  render(<Register />);
  const user = userEvent.setup();
  const capabilities = screen.getByRole<HTMLInputElement>('combobox', { name: /Capabilities/ });
  await user.type(capabilities, 'chat, ');
  await user.paste('voice\ncalls; Chat\r\n');
  expect(capabilities.value).toBe('chat, voice, calls, Chat');
  expect(screen.getByText('3 of 30')).toBeDefined();
  const website = screen.getByRole<HTMLInputElement>('textbox', { name: /Website/ });
  await paste(user, website, 'example.com');
  await user.tab();
  expect(website.value).toBe('https://example.com');
});

test('a refused form keeps changed values over a visit to another page, without its errors', async () => {
  const values = { ...initialValues, name: 'Front Desk', contactEmail: 'nobody@nowhere' };
  const errors = { contactEmail: 'Contact email must be an address.' };
  const message = 'Please correct what is marked below.';
  render(<Pages />, { refused: { values, errors, message } });
  const email = () => screen.getByRole<HTMLInputElement>('textbox', { name: /Contact Email/ });
  const user = userEvent.setup();
  expect(screen.getByRole('alert').textContent).toContain(message);
  expect(email().value).toBe('nobody@nowhere');
  await paste(user, email(), '.example');
  await user.click(screen.getByRole('button', { name: 'Go' }));
  await user.click(screen.getByRole('button', { name: 'Go' }));
  expect(email().value).toBe('nobody@nowhere.example');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Agent Name/ }).value).toBe('Front Desk');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(email().getAttribute('aria-invalid')).not.toBe('true');
});

test('a refused form keeps what is typed before it is hydrated', async () => {
  const values = { ...initialValues, name: 'Front Desk', description: 'Answers.' };
  const early = (container: HTMLElement) => {
    container.querySelector<HTMLTextAreaElement>('[name=description]')!.value = 'Answers calls.';
  };
  hydrate(<Register />, early, { refused: { values, errors: {}, message: 'Please correct what is marked below.' } });
  await waitFor(() =>
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Description/ }).value).toBe('Answers calls.'),
  );
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Agent Name/ }).value).toBe('Front Desk');
});

test('an address fills in the empty fields, each marked with its source and undone alone', async () => {
  const source = 'agent-card.json';
  const prefill = {
    fields: [
      { field: 'name', value: 'Another', source },
      { field: 'description', value: '<b>Answers</b> calls.', source },
      { field: 'apiAccess', value: 'yes', source },
    ],
    category: 'vision',
    redirectsTo: null,
  };
  const bodies: unknown[] = [];
  render(<Register />, {
    fetch: async (_input, init) => {
      bodies.push(JSON.parse(init?.body as string));
      return new Response(JSON.stringify(prefill));
    },
  });
  const user = userEvent.setup();
  const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
  await paste(user, box(/Agent Name/), 'Mine');
  await paste(user, box(/Fill in from its address/), 'example.com');
  await user.keyboard('{Enter}');
  await screen.findByText('2 fields were filled in. Check them before you go on.');
  expect(bodies).toEqual([{ url: 'https://example.com' }]);
  expect(box(/Agent Name/).value).toBe('Mine');
  expect(box(/Description/).value).toBe('<b>Answers</b> calls.');
  expect(screen.getAllByText(`from ${source}`)).toHaveLength(2);
  const category = screen.getByRole<HTMLSelectElement>('combobox', { name: /Category/ });
  expect([category.value, document.activeElement]).toEqual(['', category]);
  await user.click(screen.getByRole('button', { name: 'Category: Computer Vision?' }));
  await waitFor(() => expect(category.value).toBe('vision'));
  await user.click(screen.getByRole('button', { name: 'Undo: Description' }));
  await waitFor(() => expect(box(/Description/).value).toBe(''));
  expect(screen.getAllByText(`from ${source}`)).toHaveLength(1);
});

test('an address that gives nothing is told, and what is typed stays', async () => {
  render(<Register />, { fetch: respondWith(422, 'Nothing could be read.') });
  const user = userEvent.setup();
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: /Agent Name/ });
  await paste(user, name, 'Mine');
  await paste(user, screen.getByRole('textbox', { name: /Fill in from its address/ }), 'example.com');
  await user.keyboard('{Enter}');
  await screen.findByText('Nothing could be read.');
  expect(name.value).toBe('Mine');
});

test('an agent that is listed with the same website is shown before the form is sent, which stays possible', async () => {
  const listed = makeAgent({ name: 'Front Desk of Old' });
  const calls: string[] = [];
  render(<Register />, {
    fetch: async (input, init) => {
      calls.push(`${init?.method} ${input as string}`);
      if (init?.method === 'POST') return new Response(JSON.stringify(makeAgent()), { status: 201 });
      return new Response(JSON.stringify([listed]));
    },
  });
  const user = fillIn();
  const website = screen.getByRole('textbox', { name: /Website/ });
  await paste(user, website, 'ftp://example.com');
  await user.tab();
  expect(calls).toEqual([]);
  await user.clear(website);
  await paste(user, website, 'example.com');
  await user.tab();
  const link = await screen.findByRole('link', { name: 'Front Desk of Old' });
  expect(link.getAttribute('href')).toBe(`/agent/${listed.id}`);
  expect(link.closest('[aria-live="polite"]')?.textContent).toBe('Already listed: Front Desk of Old');
  expect(calls).toEqual(['GET /api/agents?website=https%3A%2F%2Fexample.com&limit=1']);
  await paste(user, website, '/other');
  expect(screen.queryByRole('link', { name: 'Front Desk of Old' })).toBeNull();
  await user.click(submitButton());
  await waitFor(() => expect(calls).toContain('POST /api/agents'));
});
