import { KEY_FIELD } from '@agent-registry/contracts';
import { TextInput, type TextInputProps } from '@mantine/core';

export const KEY_MISSING = 'Enter the management key or the link that you kept when you registered the agent.';

export function KeyField(props: TextInputProps) {
  return (
    <TextInput
      {...props}
      name={KEY_FIELD}
      size="md"
      required
      label="Management key"
      labelProps={{ fz: 'sm', fw: 600 }}
      description="The link that you kept when you registered the agent, or the key at its end."
      autoComplete="off"
      spellCheck={false}
      dir="ltr"
    />
  );
}
