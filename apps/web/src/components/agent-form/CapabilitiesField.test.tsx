import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../../testing/render.tsx';
import { CapabilityOptions } from './CapabilitiesField.tsx';

/** Renders the options of a field with a text, and logs requests. */
function renderOptions(text: string, calls: string[]) {
  render(<CapabilityOptions id="options" text={text} />, {
    fetch: async (input) => {
      calls.push(input as string);
      const capabilities = ['code "review"', 'code, tests'];
      return Response.json({ agents: [], capabilities, categories: [] });
    },
  });
}

const readValues = () => Array.from(document.querySelectorAll('option'), (option) => option.value);

test.each([
  ['co', 'code "review"'],
  ['mail, co', 'mail, code "review"'],
  ['mail; voice;co', 'mail; voice;code "review"'],
])('the last capability of %j is completed', async (text, value) => {
  const calls: string[] = [];
  renderOptions(text, calls);
  await waitFor(() => expect(readValues()).toEqual([value]));
  expect(calls).toEqual(['/api/suggest?q=co']);
});

test.each(['', 'c', 'mail, ', 'mail, c'])('nothing is asked for %j', (text) => {
  const calls: string[] = [];
  renderOptions(text, calls);
  expect([readValues(), calls]).toEqual([[], []]);
});
