import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { render } from '../../testing/render.tsx';
import { CodeExamples } from './CodeExamples.tsx';

const agent = makeAgent({ name: `"<b>' \\` });
const url = `https://registry.example/api/agents/${agent.id}`;
const code = () => screen.getByRole('tabpanel').textContent;

test('the first tab is the command, and arrow keys go on to the others', async () => {
  render(<CodeExamples agent={agent} />);
  expect(code()).toBe(`curl ${url}`);
  await userEvent.click(screen.getByRole('tab', { name: 'curl' }));
  const shown: string[] = [];
  for (const name of ['JavaScript', 'Python', 'Response', 'curl']) {
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(screen.getByRole('tab', { name, selected: true }));
    shown.push(code() ?? '');
  }
  expect(shown[0]).toContain(`fetch('${url}')`);
  expect(shown[1]).toContain(`urlopen('${url}')`);
  expect(JSON.parse(shown[2] ?? '')).toEqual(agent);
});

test('the code of the chosen tab is copied', async () => {
  const user = userEvent.setup();
  render(<CodeExamples agent={agent} />);
  await user.click(screen.getByRole('tab', { name: 'Python' }));
  await user.click(screen.getByRole('button', { name: 'Copy the code' }));
  expect(await navigator.clipboard.readText()).toBe(code());
});
