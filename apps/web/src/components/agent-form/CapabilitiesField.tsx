import { fields } from '@agent-registry/contracts';
import { TextInput, type TextInputProps } from '@mantine/core';
import type { ClipboardEvent } from 'react';
import { CapabilityOptions } from './CapabilityOptions.tsx';
import { toFieldId } from './ErrorSummary.tsx';
import { FieldHelp } from './FieldHelp.tsx';
import { joinPastedLines, parseCapabilities } from './form-values.ts';

/** The id of the list that completes capabilities. */
const LIST_ID = `${toFieldId('capabilities')}-list`;

type CapabilitiesFieldProps = TextInputProps & {
  value: string;
  /** Called with the text of the field after a list was pasted that has an entry in each line. */
  onListPaste: (list: string) => void;
};

/** The capabilities, completed by those of other agents. A list can be pasted that has an entry in each line. */
export function CapabilitiesField({ onListPaste, ...field }: CapabilitiesFieldProps) {
  // The browser would drop the line breaks.
  const handlePaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text');
    if (!/[;\r\n]/.test(text)) return;
    event.preventDefault();
    const input = event.currentTarget;
    input.setRangeText(joinPastedLines(text), input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
    onListPaste(input.value);
  };
  return (
    <>
      <TextInput
        {...field}
        list={LIST_ID}
        placeholder="translation, summaries, voice"
        description={
          <FieldHelp count={parseCapabilities(field.value).length} max={fields.capabilities.most}>
            Separated by commas, at most {fields.capabilities.most}.
          </FieldHelp>
        }
        onPaste={handlePaste}
      />
      <CapabilityOptions id={LIST_ID} text={field.value} />
    </>
  );
}
