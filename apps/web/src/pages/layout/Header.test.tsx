import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../../testing/render.tsx';
import { ColorSchemeSwitch } from './Header.tsx';

test('a second press that comes before the first is rendered switches back', () => {
  render(<ColorSchemeSwitch />);
  const { dataset } = document.documentElement;
  const before = dataset.mantineColorScheme;
  const button = screen.getByRole('button');
  act(() => {
    button.click();
    expect(dataset.mantineColorScheme).not.toBe(before);
    button.click();
  });
  expect(dataset.mantineColorScheme).toBe(before);
});
