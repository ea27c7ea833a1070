import { EXAMPLE_AGENT_ID as id, toAgentPath, toManageLink, toManagePath } from '@agent-registry/contracts';
import { expect, test } from 'vitest';
import { readAgentId } from './OpenEntry.tsx';

const origin = 'https://registry.example';

test.each([
  id,
  ` ${id}\n`,
  origin + toAgentPath(id),
  `${origin}${toAgentPath(id)}/`,
  origin + toManagePath(id, 'edit'),
  origin + toManageLink(id, 'key'),
  `${origin}/api/agents/${id}`,
  toAgentPath(id),
])('%j names an entry', (text) => {
  expect(readAgentId(text)).toBe(id);
});

test.each(['', 'Front Desk', id.slice(1), `${id} ${id}`, `${origin}/?compare=${id},${id}`, `${origin}/agent/${id}x`])(
  '%j names no entry',
  (text) => {
    expect(readAgentId(text)).toBeUndefined();
  },
);
