import { joinConnections, splitConnections, writtenWays, type WrittenConnection } from '@agent-registry/contracts';
import { Button, Checkbox, Group, Input, Stack, TextInput } from '@mantine/core';
import { Select } from '../Select.tsx';
import { useState, type ReactNode } from 'react';

type ConnectionsEditorProps = {
  /** The id of the field, and the start of those of its inputs. */
  id: string;
  text: string;
  label: ReactNode;
  error: ReactNode;
  onChange: (text: string) => void;
  onClose: () => void;
};

const wayOptions = Object.entries(writtenWays).map(([value, label]) => ({ value, label }));
const blank: WrittenConnection = { way: '', address: '', inputs: [] };
const blankInput = { name: '', description: '', required: true, secret: true };
/** Ways to connect for which clients ask their users for nothing. */
const hasInputs = (way: string) => !/^(?:a2a|skill|openapi)/.test(way);

/** Edits the connections of an agent, one below the other; the form keeps them as text. */
export function ConnectionsEditor({ id, text, label, error, onChange, onClose }: ConnectionsEditorProps) {
  const toRows = (given: string) => [...splitConnections(given), ...(given.trim() === '' ? [blank] : [])];
  const [rows, setRows] = useState(() => toRows(text));
  const [written, setWritten] = useState(text);
  // The form has changed the text, such as by an Undo.
  if (text !== written) {
    setWritten(text);
    setRows(toRows(text));
  }

  const change = (next: WrittenConnection[]) => {
    const joined = joinConnections(next);
    setRows(next);
    setWritten(joined);
    onChange(joined);
  };
  const focus = (name: string | number) => document.getElementById(`${id}-${name}`)?.focus();
  const move = (from: number, to: number) => {
    change(rows.with(to, rows[from] as WrittenConnection).with(from, rows[to] as WrittenConnection));
    focus(to);
  };
  const remove = (index: number) => {
    change(rows.toSpliced(index, 1));
    focus('add');
  };
  return (
    <>
      <Input.Wrapper label={label} labelElement="div" error={error}>
        <Stack id={id} tabIndex={-1} gap="md">
          {rows.map((row, index) => (
            <Stack key={index} gap="xs" role="group" aria-label={`Connection ${index + 1}`}>
              <Select
                label="Kind"
                data={wayOptions}
                value={row.way}
                onChange={({ currentTarget }) => change(rows.with(index, { ...row, way: currentTarget.value }))}
              />
              <TextInput
                id={`${id}-${index}`}
                label="Address or package"
                placeholder="https://example.com/mcp"
                dir="ltr"
                spellCheck={false}
                autoComplete="off"
                value={row.address}
                onChange={({ currentTarget }) => change(rows.with(index, { ...row, address: currentTarget.value }))}
              />
              {hasInputs(row.way) && (
                <InputsEditor inputs={row.inputs} onChange={(inputs) => change(rows.with(index, { ...row, inputs }))} />
              )}
              <Group gap="xs">
                <Button variant="default" size="md" disabled={index === 0} onClick={() => move(index, index - 1)}>
                  Move up
                </Button>
                <Button
                  variant="default"
                  size="md"
                  disabled={index === rows.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  Move down
                </Button>
                <Button variant="default" size="md" onClick={() => remove(index)}>
                  Remove
                </Button>
              </Group>
            </Stack>
          ))}
          <Group>
            <Button id={`${id}-add`} variant="default" size="md" onClick={() => change([...rows, blank])}>
              Add a connection
            </Button>
          </Group>
        </Stack>
      </Input.Wrapper>
      <Button variant="default" size="md" onClick={onClose}>
        Edit as text
      </Button>
    </>
  );
}

type InputsEditorProps = {
  inputs: WrittenConnection['inputs'];
  onChange: (inputs: WrittenConnection['inputs']) => void;
};

function InputsEditor({ inputs, onChange }: InputsEditorProps) {
  return (
    <details open={inputs.length > 0 || undefined}>
      <summary>Advanced: headers and variables</summary>
      <Stack gap="xs">
        {inputs.map((input, index) => {
          const update = (change: Partial<typeof input>) => onChange(inputs.with(index, { ...input, ...change }));
          return (
            <Stack key={index} gap="xs" role="group" aria-label={`Header or variable ${index + 1}`}>
              <TextInput
                label="Name"
                placeholder="X-Api-Key"
                dir="ltr"
                spellCheck={false}
                autoComplete="off"
                value={input.name}
                onChange={({ currentTarget }) => update({ name: currentTarget.value })}
              />
              <TextInput
                label="What it is for"
                description="Never a secret itself."
                placeholder="Key from your account"
                dir="auto"
                value={input.description}
                onChange={({ currentTarget }) => update({ description: currentTarget.value })}
              />
              <Group gap="md">
                <Checkbox
                  label="Required"
                  checked={input.required}
                  onChange={({ currentTarget }) => update({ required: currentTarget.checked })}
                />
                <Checkbox
                  label="Secret"
                  checked={input.secret}
                  onChange={({ currentTarget }) => update({ secret: currentTarget.checked })}
                />
                <Button variant="default" size="md" onClick={() => onChange(inputs.toSpliced(index, 1))}>
                  Remove
                </Button>
              </Group>
            </Stack>
          );
        })}
        <Group>
          <Button variant="default" size="md" onClick={() => onChange([...inputs, blankInput])}>
            Add a header or variable
          </Button>
        </Group>
      </Stack>
    </details>
  );
}
