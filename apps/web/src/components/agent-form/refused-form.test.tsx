import { act, render } from '@testing-library/react';
import { Suspense, use, useEffect } from 'react';
import { expect, test } from 'vitest';
import { useEarlyText } from './refused-form.ts';

const ACTION = '/agents';
// As the server renders the component below.
const html = `<!--$--><form action="${ACTION}"><textarea name="text" readonly="">stored</textarea><p>late</p></form><!--/$-->`;
const loading = Promise.withResolvers<string>();

function Form({ onRead }: { onRead: (text: string) => void }) {
  const early = useEarlyText(ACTION, 'text');
  useEffect(() => onRead(early), [early, onRead]);
  return (
    <form action={ACTION}>
      <textarea name="text" value="stored" readOnly />
      <Late />
    </form>
  );
}

/** Suspends after React has hydrated the textarea, so that hydration of the form starts anew. */
function Late() {
  return <p>{use(loading.promise)}</p>;
}

test('typed text is read before hydration resets it, also if hydration starts anew', async () => {
  const root = document.body.appendChild(document.createElement('div'));
  root.innerHTML = html;
  const textarea = root.querySelector('textarea') as HTMLTextAreaElement;
  textarea.value = 'typed';
  const read: string[] = [];
  const page = (
    <Suspense>
      <Form onRead={(text) => void read.push(text)} />
    </Suspense>
  );
  await act(async () => void render(page, { container: root, hydrate: true }));
  expect(textarea.value).toBe('stored');
  await act(async () => loading.resolve('late'));
  expect(read).toEqual(['typed']);
});
