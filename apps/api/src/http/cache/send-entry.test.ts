import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './send-entry.ts';

test('in each turn of the event loop one large body is sent, and any number of small ones', async () => {
  const inTurn = createTurns();
  const events: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    void inTurn(Buffer.alloc(300_000)).then(() => events.push('large'));
    void inTurn(Buffer.alloc(200_000)).then(() => events.push('small'));
  }
  while (events.filter((event) => event === 'large').length < 5) {
    await setImmediate();
    events.push('turn');
  }
  expect(events.slice(0, 5)).toEqual(Array(5).fill('small'));
  expect(events.slice(5).join(' ')).not.toContain('large large');
});
