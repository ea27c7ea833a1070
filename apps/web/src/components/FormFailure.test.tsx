import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ReportForm } from '../features/agent/ReportForm.tsx';
import { ClaimForm } from '../features/owner/ClaimForm.tsx';
import { EditForm } from '../features/owner/EditForm.tsx';
import { WithdrawForm } from '../features/owner/WithdrawForm.tsx';
import { render, respondWith } from '../testing/render.tsx';
import { keepKey } from './owner-keys.ts';

const agent = makeAgent({ name: 'Desk', website: 'https://example.com/' });
const forms: [name: string, Form: (props: { agent: Agent }) => ReactNode, button: string, title: string][] = [
  ['edits', EditForm, 'Save Changes', 'Not saved'],
  ['withdraws', WithdrawForm, 'Withdraw Desk', 'Not withdrawn'],
  ['reports', ReportForm, 'Send Report', 'Not sent'],
  ['claims', ClaimForm, 'Prove that you control the website', 'Not proved'],
];

/** Submits a form whose requests are all answered the same. @returns the alert */
async function submit(
  [, Form, button]: (typeof forms)[number],
  fetch: typeof globalThis.fetch,
): Promise<string | null> {
  keepKey({ id: agent.id, name: agent.name, key: createManagementKey() });
  const { container } = render(<Form agent={agent} />, { fetch });
  for (const select of container.querySelectorAll('select')) {
    fireEvent.change(select, { target: { value: select.options[1]?.value } });
  }
  fireEvent.click(screen.getByRole('button', { name: button }));
  return (await screen.findByRole('alert')).textContent;
}

test.each(forms)('the form that %s shows the sentence of the registry alone', async (...form) => {
  expect(await submit(form, respondWith(422, 'Not today.'))).toBe(`${form[3]}Not today.`);
});

test.each(forms)('the form that %s keeps what is typed without a connection, and says so', async (...form) => {
  const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  onTestFinished(() => onLine.mockRestore());
  const sentence = 'You seem to be offline. What you have typed is kept; please try again.';
  expect(await submit(form, unreachable)).toBe(form[3] + sentence);
});

test('the refusal of a posted form is shown by the form of its page, and by no later one', () => {
  const { rerender } = render(<ReportForm agent={agent} />, { refused: { message: 'Not today.' } });
  expect(screen.getByRole('alert').textContent).toBe('Not sentNot today.');
  rerender(<WithdrawForm agent={agent} />);
  expect(screen.queryByRole('alert')).toBeNull();
});
