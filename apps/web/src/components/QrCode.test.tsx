import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../testing/render.tsx';
import { QrCode } from './QrCode.tsx';

test('a QR code has its three finder patterns, four modules from its edges', () => {
  render(<QrCode text="https://registry.example/agent/1#manage=key" label="The link" />);
  const svg = screen.getByRole('img', { name: 'The link' });
  const [, , size = 0] = (svg.getAttribute('viewBox') ?? '').split(' ').map(Number);
  const dark = new Set(svg.lastElementChild?.getAttribute('d')?.match(/(?<=M)\d+ \d+/g));
  const [near, far] = [4, size - 5];
  // Every finder pattern has dark corners at its outer edge; the fourth corner of a code has none.
  const corners = [`${near} ${near}`, `${far} ${near}`, `${near} ${far}`];
  for (const corner of corners) expect(dark).toContain(corner);
  for (let at = 0; at < size; at += 1) expect(dark).not.toContain(`${at} 3`);
  expect((size - 8 - 17) % 4).toBe(0);
});
