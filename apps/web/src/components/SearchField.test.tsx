import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../testing/render.tsx';
import { SearchField } from './SearchField.tsx';

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search agents' });

test.each([
  ['while an input method composes', { isComposing: true }],
  ['while an input method composes, as Safari tells', { keyCode: 229 }],
])('Escape %s leaves the text, and the next one clears it', (_name, composition) => {
  render(<SearchField size="md" placeholder="Search agents..." />);
  fireEvent.change(field(), { target: { value: 'にほ' } });
  expect(fireEvent.keyDown(field(), { key: 'Escape', ...composition })).toBe(true);
  expect(field().value).toBe('にほ');
  expect(fireEvent.keyDown(field(), { key: 'Escape' })).toBe(false);
  expect(field().value).toBe('');
});
