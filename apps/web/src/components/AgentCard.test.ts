import { expect, test } from 'vitest';
import { isNew } from './AgentCard.tsx';

const today = '2026-11-23';

test('an agent is new for seven days', () => {
  expect(isNew('2026-11-17T00:00:00.000Z', today)).toBe(true);
  expect(isNew('2026-11-16T23:59:59.999Z', today)).toBe(false);
});
