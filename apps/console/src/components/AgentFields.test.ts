import { expect, test } from 'vitest';
import { splitAtChange } from './AgentFields.tsx';

test.each([
  ['Sorts the mail of otters.', 'Sorts the letters of otters.', ['Sorts the ', 'mail ', 'letters ', 'of otters.']],
  ['a b', 'a b', ['a b', '', '', '']],
  ['a', 'a a', ['', '', 'a ', 'a']],
  ['', 'a', ['', '', 'a', '']],
  ['a b', '', ['', 'a b', '', '']],
  ['a a a', 'a a', ['a ', 'a ', '', 'a']],
  ['one\ntwo', 'one two', ['', 'one\n', 'one ', 'two']],
])('%j becomes %j', (before, after, parts) => {
  const { start, removed, added, end } = splitAtChange(before, after);
  expect([start, removed, added, end]).toEqual(parts);
  expect([start + removed + end, start + added + end]).toEqual([before, after]);
});
