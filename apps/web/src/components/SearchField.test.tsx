import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../testing/render.tsx';
import { SearchField } from './SearchField.tsx';

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search agents' });

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

test('a text of more than 200 characters is posted, and a shorter one is not', () => {
  render(<SearchField size="md" placeholder="Search agents..." />);
  const form = screen.getByRole<HTMLFormElement>('search');
  const submit = () => fireEvent.submit(form);
  fireEvent.change(field(), { target: { value: 'otter '.repeat(33) } });
  expect(submit()).toBe(false);
  expect(form.method).toBe('get');
  fireEvent.change(field(), { target: { value: 'otter '.repeat(34) } });
  expect(submit()).toBe(true);
  expect([form.method, form.getAttribute('action')]).toEqual(['post', '/?paste']);
  expect(field().maxLength).toBe(2_000);
});
