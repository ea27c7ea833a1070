import { AGENT_PAGE_PATH, createManagementKey } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { act, fireEvent, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeAll, expect, test } from 'vitest';
import { initialValues, keepLastValues, toFormValues } from '../components/agent-form/form-values.ts';
import { keepKey } from '../components/owner-keys.ts';
import { saveDraft } from '../features/register/draft.ts';
import { RegisterForm } from '../features/register/RegisterForm.tsx';
import { queries, render } from '../testing/render.tsx';
import { AgentPage, lazyRegisterAgain } from './AgentPage.tsx';
import { lazyManageAgent } from './lazy-parts.ts';

const agent = makeAgent({ name: 'Otter', description: 'Answers.', capabilities: ['voice'], website: null });

beforeAll(async () => void (await Promise.all([lazyManageAgent.load(), lazyRegisterAgain.load()])));

/** Opens the form that withdraws the agent, and the page that the registry then answers with 410. */
async function open(path: string, isListed: boolean) {
  const fetch: typeof globalThis.fetch = async (_input, init) =>
    init?.method === 'DELETE' ? Response.json(agent) : new Response('This agent was withdrawn.', { status: 410 });
  await act(async () =>
    render(
      <Routes>
        <Route path={AGENT_PAGE_PATH} element={<AgentPage />} />
        <Route path="/" element={<RegisterForm />} />
      </Routes>,
      {
        url: path,
        fetch,
        entries: isListed ? [[queries.agents.get.queryOptions({ id: agent.id }).queryKey, agent]] : [],
      },
    ),
  );
}

test('a withdrawn agent can be registered again from its last values', async () => {
  keepKey({ id: agent.id, name: agent.name, key: createManagementKey() });
  await open(`/agent/${agent.id}?manage=withdraw`, true);
  expect(await screen.findByText(/What stays: the address of its page/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw Otter' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Otter is withdrawn' })).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Register it again' }));
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /Agent Name/ });
  expect(field.value).toBe('Otter');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Description/ }).value).toBe('Answers.');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: /Capabilities/ }).value).toBe('voice');
});

test('another browser with the key keeps the draft in the form, and does not promise the last values', async () => {
  saveDraft({ ...initialValues, name: 'Half a heron' });
  keepKey({ id: agent.id, name: agent.name, key: createManagementKey() });
  await open(`/agent/${agent.id}`, false);
  expect(await screen.findByText(/^Only the browser that withdrew it keeps its last values/)).toBeTruthy();
  expect(screen.queryByText('Half a heron')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Register it again' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Register an agent' }));
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /Agent Name/ });
  expect(field.value).toBe('Half a heron');
});

test('a draft in the form is named before it is replaced', async () => {
  keepLastValues(agent.id, toFormValues(agent));
  saveDraft({ ...initialValues, name: 'Half a heron' });
  keepKey({ id: agent.id, name: agent.name, key: createManagementKey() });
  await open(`/agent/${agent.id}`, false);
  expect(await screen.findByText('Half a heron')).toBeTruthy();
});

test('others read that an agent was withdrawn, and cannot register it', async () => {
  await open(`/agent/${agent.id}`, false);
  expect(await screen.findByRole('heading', { level: 1, name: 'Agent Withdrawn' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Register it again' })).toBeNull();
});
