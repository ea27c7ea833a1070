import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { FieldHelp } from './FieldHelp.tsx';
import { addScheme } from './form-values.ts';
import { SameWebsite } from './SameWebsite.tsx';

type WebsiteFieldProps = TextInputProps & {
  value: string;
  isNew: boolean;
  /** Called with the complete address when the visitor leaves the field. */
  onLeave: (website: string) => void;
};

/** The website, which gets its scheme when the visitor leaves the field; a new agent's is looked up then. */
export function WebsiteField({ isNew, onLeave, ...field }: WebsiteFieldProps) {
  /** The website when the visitor left its field. */
  const [left, setLeft] = useState('');
  return (
    <div>
      <TextInput
        {...field}
        type="url"
        placeholder="https://example.com"
        description={<FieldHelp>Optional.</FieldHelp>}
        autoComplete="url"
        onBlur={() => {
          const website = addScheme(field.value);
          setLeft(website);
          onLeave(website);
        }}
      />
      {isNew && <SameWebsite website={field.value === left ? left.trim() : ''} />}
    </div>
  );
}
