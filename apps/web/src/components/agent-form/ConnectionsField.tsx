import { Button, Textarea, type TextareaProps } from '@mantine/core';
import { useState } from 'react';
import { FieldHelp } from './FieldHelp.tsx';
import { createLazyComponent } from '../lazy-component.tsx';

export const lazyConnectionsEditor = createLazyComponent(
  async () => (await import('./ConnectionsEditor.tsx')).ConnectionsEditor,
);

const ROWS = 3;

type ConnectionsFieldProps = TextareaProps & {
  id: string;
  value: string;
  /** Called with the whole text when a connection was edited. */
  onText: (text: string) => void;
};

/** The connections of an agent as text, one a line, or with scripts one by one. */
export function ConnectionsField({ onText, ...props }: ConnectionsFieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const text = (
    <Textarea
      {...props}
      dir="ltr"
      spellCheck={false}
      placeholder={'https://example.com/mcp\nnpm @example/tides@1.4.0'}
      rows={ROWS}
      description={
        <FieldHelp>
          Optional. How programs connect, one a line: the address of an MCP server, an agent card, a skill.md or an
          OpenAPI description, or a package such as npm @example/tides@1.4.0. Below it, what clients ask for, such as “-
          X-Api-Key: Key from your account”; never a secret itself.
        </FieldHelp>
      }
    />
  );
  if (!isOpen) {
    return (
      <div>
        {text}
        <Button variant="default" size="md" mt="xs" className="needs-scripts" onClick={() => setIsOpen(true)}>
          Edit connections one by one
        </Button>
      </div>
    );
  }
  const { id, value, label, error } = props;
  return (
    <lazyConnectionsEditor.Component
      {...{ id, label, error }}
      text={value}
      onChange={onText}
      onClose={() => setIsOpen(false)}
      fallback={text}
      failure="The connections could not be loaded."
    />
  );
}
