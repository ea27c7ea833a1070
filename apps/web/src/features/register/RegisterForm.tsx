import {
  apiAccessOptions,
  categories,
  DESCRIPTION_ROWS,
  formatCount,
  HONEYPOT_FIELD,
  MAX_CAPABILITIES,
  MAX_DESCRIPTION_LENGTH,
  pricingModels,
} from '@agent-registry/contracts';
import {
  Alert,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { memo } from 'react';
import { LATE, useIsLate } from '../../use-is-late.ts';
import { TERMS_FIELD, type RegisterFormValues } from './form-values.ts';
import classes from './RegisterForm.module.css';
import { useRegisterForm } from './use-register-form.ts';

const categoryOptions = [
  { value: '', label: 'Select a category' },
  ...categories.map(({ id, name }) => ({ value: id, label: name })),
];
const pricingOptions = [...pricingModels];
const accessOptions = [...apiAccessOptions];

// A key that is pressed in one field renders none of the others anew.
const TextField = memo(TextInput);
const LongTextField = memo(Textarea);
const Choice = memo(NativeSelect);
const Agreement = memo(Checkbox);

/** The form that registers an agent. Without scripts it is posted. */
export function RegisterForm() {
  const {
    form,
    submitButton,
    honeypot,
    getFieldProps,
    errors,
    acceptsTerms,
    isSubmitting,
    isReady,
    refusal,
    wrongFields,
    acceptTerms,
    submit,
    handleInvalid,
    saveAsDraft,
  } = useRegisterForm();
  const isLate = useIsLate(isSubmitting);

  const field = (name: keyof RegisterFormValues) => ({
    ...getFieldProps(name),
    dir: 'auto',
    error: errors[name],
    disabled: isSubmitting,
  });
  const requiredField = (name: keyof RegisterFormValues) => ({
    ...field(name),
    withAsterisk: true,
    'aria-required': true,
  });

  return (
    <form
      ref={form}
      onSubmit={submit}
      onInvalidCapture={handleInvalid}
      aria-labelledby="register-title"
      method="post"
      action="/#register"
    >
      <Stack gap="md">
        {refusal && (
          <Alert role="alert" color="red" title="Error">
            {refusal}
          </Alert>
        )}
        <TextField label="Agent Name" placeholder="My Helpful Agent" {...requiredField('name')} />
        <LongTextField
          label="Description"
          placeholder="What does it do, for whom, and what does it need?"
          rows={DESCRIPTION_ROWS}
          description={`Plain text, at most ${formatCount(MAX_DESCRIPTION_LENGTH)} characters.`}
          {...requiredField('description')}
        />
        <Choice label="Category" data={categoryOptions} {...requiredField('category')} />
        <TextField
          label="Capabilities"
          placeholder="translation, summaries, voice"
          description={`Separated by commas, at most ${MAX_CAPABILITIES}.`}
          {...field('capabilities')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <TextField
            type="email"
            label="Contact Email"
            placeholder="you@example.com"
            description="Shown on the agent’s page."
            autoComplete="email"
            {...requiredField('contactEmail')}
          />
          <TextField
            type="url"
            label="Website"
            placeholder="https://example.com"
            description="Optional, http or https."
            autoComplete="url"
            {...field('website')}
          />
          <Choice label="Pricing Model" data={pricingOptions} {...field('pricingModel')} />
          <Choice label="API Access" data={accessOptions} {...field('apiAccess')} />
        </SimpleGrid>
        <Agreement
          name={TERMS_FIELD}
          required
          // Consent is given anew: no browser is to bring it back.
          autoComplete="off"
          disabled={isSubmitting}
          checked={acceptsTerms}
          onChange={acceptTerms}
          label="I agree to the terms: I may list this agent, what I say of it is true, and all of it will be public."
        />
        <div aria-hidden className={classes.honeypot}>
          <label htmlFor="register-honeypot">Leave this empty</label>
          <input
            ref={honeypot}
            id="register-honeypot"
            name={HONEYPOT_FIELD}
            tabIndex={-1}
            autoComplete="off"
            // The names by which password managers leave a field alone.
            data-1p-ignore
            data-bwignore
            data-lpignore="true"
          />
        </div>
        {!refusal && wrongFields > 0 && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {wrongFields === 1
              ? 'One field is not right yet: it is marked above.'
              : `${wrongFields} fields are not right yet: they are marked above.`}
          </Text>
        )}
        {isLate && (
          <Text role="alert" size="sm">
            {LATE} What you have typed is kept.
          </Text>
        )}
        <Group gap="sm">
          <Button
            ref={submitButton}
            type="submit"
            size="md"
            disabled={isSubmitting}
            // The second click of a double click would send the form that the first has emptied.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
          >
            {isSubmitting ? 'Registering...' : 'Register Agent'}
          </Button>
          <Button
            type="button"
            className="needs-scripts"
            size="md"
            variant="default"
            disabled={!isReady || isSubmitting}
            onClick={saveAsDraft}
          >
            Save Draft
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
