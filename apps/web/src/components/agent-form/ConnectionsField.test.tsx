import { fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { render } from '../../testing/render.tsx';
import { ConnectionsField, lazyConnectionsEditor } from './ConnectionsField.tsx';

const given = `mcp https://a.example.com/mcp
- X-Key (optional): Key
npm tides@1.0.0`;

let text: string;

beforeAll(async () => void (await lazyConnectionsEditor.load()));

/** Renders the field in a form that keeps its text, and opens the editor. */
async function openEditor(initial: string) {
  function Form() {
    const [value, setValue] = useState(initial);
    text = value;
    return (
      <>
        <ConnectionsField id="field" label="Connections" value={value} onChange={() => {}} onText={setValue} />
        <button type="button" onClick={() => setValue('')}>
          Undo
        </button>
      </>
    );
  }
  render(<Form />);
  press('Edit connections one by one');
  await screen.findByRole('button', { name: 'Add a connection' });
}

const press = (name: string, of?: HTMLElement) =>
  fireEvent.click((of ? within(of) : screen).getByRole('button', { name }));
const connection = (number: number) => screen.getByRole('group', { name: `Connection ${number}` });
const type = (label: string, value: string, of: HTMLElement) =>
  fireEvent.change(within(of).getByLabelText(label), { target: { value } });

test('Connections are moved, with what clients ask for, and removed', async () => {
  await openEditor(given);
  press('Move down', connection(1));
  expect(text).toBe('npm tides@1.0.0\nmcp https://a.example.com/mcp\n- X-Key (optional): Key');
  expect(document.activeElement).toHaveProperty('value', 'https://a.example.com/mcp');
  press('Move up', connection(2));
  expect(text).toBe(given);
  const [, removeFirst] = within(connection(1)).getAllByRole('button', { name: 'Remove' });
  fireEvent.click(removeFirst!);
  expect(text).toBe('npm tides@1.0.0');
});

test('Connections and headers are added, and read by their address unless a kind is chosen', async () => {
  await openEditor('');
  type('Address or package', 'https://a.example.com/skill.md', connection(1));
  expect(text).toBe('https://a.example.com/skill.md');
  press('Add a connection');
  type('Kind', 'mcp sse', connection(2));
  type('Address or package', 'https://a.example.com/x', connection(2));
  press('Add a header or variable', connection(2));
  const header = within(connection(2)).getByRole('group', { name: 'Header or variable 1' });
  type('Name', 'X-Key', header);
  type('What it is for', 'Key from your account ', header);
  fireEvent.click(within(header).getByLabelText('Secret'));
  expect(text).toBe(
    'https://a.example.com/skill.md\nmcp sse https://a.example.com/x\n- X-Key (public): Key from your account ',
  );
  press('Edit as text');
  expect(screen.getByLabelText('Connections')).toHaveProperty('value', text);
});

test('A text that the form replaces is shown', async () => {
  await openEditor(given);
  press('Undo');
  expect(screen.getAllByLabelText('Address or package').map((input) => (input as HTMLInputElement).value)).toEqual([
    '',
  ]);
});
