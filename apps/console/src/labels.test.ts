import { hostileTexts } from '@agent-registry/contracts/testing/hostile-agents';
import { expect, test } from 'vitest';
import { toPlainText } from './labels.ts';

test.each([...hostileTexts['control characters'], ...hostileTexts['direction of writing']])(
  'nothing of %j acts in the page, and what was hidden is marked',
  (text) => {
    const plain = toPlainText(text);
    expect(plain).not.toMatch(/[\p{Cc}--[\t\n\r]]|[\u202A-\u202E\u2066-\u2069]/v);
    expect(Array.from(plain)).toHaveLength(Array.from(text).length);
  },
);

test('markup, line ends and emoji stay as they are', () => {
  for (const text of [...hostileTexts.markup, 'a\nb', '👩‍👧 ok']) expect(toPlainText(text)).toBe(text);
});
