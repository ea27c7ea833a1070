import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { render } from '../../testing/render.tsx';
import { ConnectionsField } from './ConnectionsField.tsx';

const SECRET = 'sk-live-4711';

/** What the form was told, which drafts, requests and errors are made of. */
let told: string[];

function renderField(initial = '') {
  told = [];
  function Form() {
    const [value, setValue] = useState(initial);
    const handleText = (text: string) => {
      told.push(text);
      setValue(text);
    };
    return (
      <>
        <ConnectionsField id="field" label="How to connect" value={value} onText={handleText} />
        <button type="button" onClick={() => setValue('')}>
          Undo
        </button>
      </>
    );
  }
  render(<Form />);
}

const field = () => screen.getByLabelText<HTMLTextAreaElement>('How to connect');
const enter = (value: string, inputType?: string) => {
  field().value = '';
  const event = new InputEvent('input', { bubbles: true, ...(inputType && { inputType }) });
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field(), value);
  fireEvent(field(), event);
};
const items = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

const remote = 'mcp https://a.example.com/mcp\n- X-Key';

test.each([
  [`claude mcp add -t http x https://a.example.com/mcp -H "X-Key: ${SECRET}"`, 'X-Key', remote],
  [`TIDES_KEY=${SECRET} npx -y tides@1.0.0 ${SECRET}`, 'TIDES_KEY', 'npm tides@1.0.0\n- TIDES_KEY'],
  [`{"mcpServers": {"x": {"url": "https://a.example.com/mcp", "headers": {"X-Key": "${SECRET}"}}}}`, 'X-Key', remote],
])('Pasted values are removed at once: %s', (text, name, written) => {
  renderField();
  enter(text, 'insertFromPaste');
  expect(field().value).toBe(written);
  expect(document.body.innerHTML + told.join()).not.toContain(SECRET);
  screen.getByText(`Values were removed. Only these names are kept: ${name}.`);
});

test('Typed values never leave the field, and go when it is left', () => {
  renderField();
  const text = `https://a.example.com/mcp\nX-Key: ${SECRET}`;
  enter(text, 'insertText');
  expect(field().value).toBe(text);
  expect(told.join()).not.toContain(SECRET);
  fireEvent.blur(field());
  expect(field().value).toBe('https://a.example.com/mcp\n- X-Key');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(field().value).toBe('');
});

test('What was recognised is listed, with names and notes', () => {
  renderField('npx -y tides@1.0.0 --key x\n- TIDES_KEY asks for Key\nhttps://a.example.com/openapi.json');
  expect(items()).toEqual([
    'MCP package: npm tides@1.0.0, asks for TIDES_KEY',
    expect.stringContaining('https://a.example.com/openapi.json'),
  ]);
  screen.getByText('Arguments and options are left out', { exact: false });
});

test('The kind of an address can be chosen, and its headers stay', () => {
  renderField('npx -y tides@1.0.0\n  https://a.example.com/x\n- X-Key asks for Key');
  fireEvent.change(screen.getByLabelText('Kind of https://a.example.com/x'), { target: { value: 'mcp sse' } });
  expect(field().value).toBe('npm tides@1.0.0\nmcp sse https://a.example.com/x\n- X-Key asks for Key');
  fireEvent.change(screen.getByLabelText('Kind of https://a.example.com/x'), { target: { value: 'skill zip' } });
  expect(field().value).toContain('\nskill zip https://a.example.com/x\n');
});
