import { Button, Group, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';

/** A text to copy, and a button that copies it. If the browser does not allow that, the text is selected. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);

  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setIsCopied(true);
    } catch {
      // The clipboard is missing on plain http, or permission was denied.
    }
  };
  return (
    <Group align="flex-end" gap="xs" w="100%">
      <TextInput
        ref={field}
        label={label}
        readOnly
        dir="ltr"
        size="md"
        flex="1 1 12rem"
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button className="needs-scripts" variant="default" size="md" onClick={() => void copy()}>
        <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
      </Button>
    </Group>
  );
}
