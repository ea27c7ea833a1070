import { Textarea, type TextareaProps } from '@mantine/core';
import { FieldHelp } from './FieldHelp.tsx';

const ROWS = 3;

/** The connections of an agent as text, one a line: `parseConnections` reads it, with and without scripts. */
export function ConnectionsField(props: TextareaProps) {
  return (
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
}
