import {
  Checkbox,
  NativeSelect,
  Textarea,
  TextInput,
  type NativeSelectProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core';
import { memo } from 'react';
import { TERMS_FIELD, type FieldName } from './form-values.ts';
import { useRegistration } from './registration-context.ts';

type Named<Props> = Props & { name: FieldName };

// What becomes right or wrong about one field renders none of the others anew.
const PlainTextField = memo(TextInput);
const PlainLongTextField = memo(Textarea);
const PlainChoice = memo(NativeSelect);
const PlainAgreement = memo(Checkbox);

/** A field of one line. */
export function TextField(props: Named<TextInputProps>) {
  return <PlainTextField {...props} {...useField(props.name)} />;
}

/** A field of several lines. */
export function LongTextField(props: Named<TextareaProps>) {
  return <PlainLongTextField {...props} {...useField(props.name)} />;
}

/** A field that offers what it can hold. */
export function Choice(props: Named<NativeSelectProps>) {
  return <PlainChoice {...props} {...useField(props.name)} />;
}

/** The box by which an owner agrees to the terms. */
export function Agreement() {
  const { isSubmitting } = useRegistration();
  return (
    <PlainAgreement
      name={TERMS_FIELD}
      required
      // Consent is given anew: no browser is to bring it back.
      autoComplete="off"
      disabled={isSubmitting}
      label="I agree to the terms: I may list this agent, what I say of it is true, and all of it will be public."
    />
  );
}

function useField(name: FieldName) {
  const { firstValues, errors, isSubmitting } = useRegistration();
  return { defaultValue: firstValues[name], dir: 'auto', error: errors[name], disabled: isSubmitting };
}
