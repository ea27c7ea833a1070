import { createManagementKey } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { keepKey } from '../../components/owner-keys.ts';
import { render } from '../../testing/render.tsx';
import { ClaimForm } from './ClaimForm.tsx';

const challenge = `1795629600.${'a'.repeat(43)}`;

afterEach(() => localStorage.clear());

test.each([
  [
    'https://example.com/agent',
    'example.com',
    'website',
    'https://example.com/.well-known/agent-registry.txt',
    'Put this text on your website within 24 hours',
  ],
  [
    'https://github.com/otters/mcp/tree/next',
    'github.com/otters/mcp',
    'repository',
    '.agent-registry',
    'The check reads https://raw.githubusercontent.com/otters/mcp/HEAD/.agent-registry.',
  ],
])(
  'the owner of %s puts the challenge where the check looks, and keeps the key',
  async (website, place, subject, file, sentence) => {
    const agent = makeAgent({ website });
    const key = createManagementKey();
    keepKey({ id: agent.id, name: agent.name, key });
    const keys: (string | null)[] = [];
    render(<ClaimForm agent={agent} />, {
      fetch: async (_input, init) => {
        keys.push(new Headers(init?.headers).get('management-key'));
        return Response.json({ challenge, expiresAt: '2999-01-01T00:00:00.000Z' });
      },
    });
    expect(document.body.textContent).toContain(`Prove that you control ${place}, and a tick`);
    await userEvent.click(screen.getByRole('button', { name: `Prove that you control the ${subject}` }));
    expect(await screen.findByLabelText(`In the file ${file}`)).toHaveProperty('value', challenge);
    expect(document.body.textContent).toContain(sentence);
    expect(keys).toEqual([key]);
  },
);

test.each([
  [null, /names no website/],
  ['https://lobehub.com/agent/otter', /listed on lobehub\.com/],
  ['https://github.com/otters', /listed on github\.com\/otters/],
])('of %s only the operator can say whose it is', (website, sentence) => {
  const agent = makeAgent({ website });
  render(<ClaimForm agent={agent} />);
  expect(document.body.textContent).toMatch(sentence);
  const link = screen.getByRole('link', { name: 'Ask the operator of this registry.' });
  expect(link.getAttribute('href')).toBe(`/agent/${agent.id}?manage=report`);
  expect(screen.queryByRole('button')).toBeNull();
});
