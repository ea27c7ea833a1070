import { fields, isSuggestible } from '@agent-registry/contracts';
import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ClipboardEvent } from 'react';
import { useApi } from '../../api/trpc.ts';
import { toFieldId } from './ErrorSummary.tsx';
import { FieldHelp } from './FieldHelp.tsx';
import { joinPastedLines, parseCapabilities } from './form-values.ts';

const LIST_ID = `${toFieldId('capabilities')}-list`;

/** How long typing has to pause before capabilities are requested, in milliseconds. */
const DEBOUNCE = 200;

type CapabilitiesFieldProps = TextInputProps & { value: string; onListPaste: (list: string) => void };

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
            {`Separated by commas, at most ${fields.capabilities.most}.`}
          </FieldHelp>
        }
        onPaste={handlePaste}
      />
      <CapabilityOptions id={LIST_ID} text={field.value} />
    </>
  );
}

export function CapabilityOptions({ id, text }: { id: string; text: string }) {
  const { queries } = useApi();
  const [, earlier = '', typed = ''] = /^(.*[,;]\s*)?(.*)$/su.exec(text) ?? [];
  const [q] = useDebouncedValue(typed.trim(), DEBOUNCE);
  const { data } = useQuery({
    ...queries.agents.suggest.queryOptions({ q }),
    enabled: isSuggestible(q),
    placeholderData: keepPreviousData,
  });
  // One with a separator would become two.
  const names = data?.capabilities.filter((name) => !/[,;]/.test(name)) ?? [];
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={earlier + name}>
          {name}
        </option>
      ))}
    </datalist>
  );
}
