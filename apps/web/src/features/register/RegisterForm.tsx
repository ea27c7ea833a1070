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
import { Alert, Button, Group, SimpleGrid, Stack, Text, type ButtonProps } from '@mantine/core';
import { memo, type ComponentProps, type MouseEvent, type ReactNode } from 'react';
import { SLOW_REQUEST, useSlowRequest } from '../../api/use-slow-request.ts';
import { Agreement, Choice, LongTextField, TextField } from './RegisterFields.tsx';
import classes from './RegisterForm.module.css';
import { RegistrationContext, useRegistration } from './registration-context.ts';
import { useRegisterForm } from './use-register-form.ts';

const categoryOptions = [
  { value: '', label: 'Select a category' },
  ...categories.map(({ id, name }) => ({ value: id, label: name })),
];
const pricingOptions = [...pricingModels];
const accessOptions = [...apiAccessOptions];
const required = { withAsterisk: true, 'aria-required': true };

// What becomes right or wrong about the fields changes nothing about the buttons.
const PlainButton = memo((props: ButtonProps & ComponentProps<'button'>) => <Button {...props} />);

// One and the same element, so that a change renders only the parts that read the form.
const layout = (
  <Form>
    <Stack gap="md">
      <Refusal />
      <TextField name="name" label="Agent Name" placeholder="My Helpful Agent" {...required} />
      <LongTextField
        name="description"
        label="Description"
        placeholder="What does it do, for whom, and what does it need?"
        rows={DESCRIPTION_ROWS}
        description={`Plain text, at most ${formatCount(MAX_DESCRIPTION_LENGTH)} characters.`}
        {...required}
      />
      <Choice name="category" label="Category" data={categoryOptions} {...required} />
      <TextField
        name="capabilities"
        label="Capabilities"
        placeholder="translation, summaries, voice"
        description={`Separated by commas, at most ${MAX_CAPABILITIES}.`}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextField
          name="contactEmail"
          type="email"
          label="Contact Email"
          placeholder="you@example.com"
          description="Shown on the agent’s page."
          autoComplete="email"
          {...required}
        />
        <TextField
          name="website"
          type="url"
          label="Website"
          placeholder="https://example.com"
          description="Optional, http or https."
          autoComplete="url"
        />
        <Choice name="pricingModel" label="Pricing Model" data={pricingOptions} />
        <Choice name="apiAccess" label="API Access" data={accessOptions} />
      </SimpleGrid>
      <Agreement />
      <Honeypot />
      <Notices />
      <Group gap="sm">
        <SubmitButton />
        <DraftButton />
      </Group>
    </Stack>
  </Form>
);

/** The form that registers an agent. Without scripts it is posted. */
export function RegisterForm() {
  return <RegistrationContext value={useRegisterForm()}>{layout}</RegistrationContext>;
}

function Form({ children }: { children: ReactNode }) {
  const { form, checkAgain, submit, handleInvalid } = useRegistration();
  return (
    <form
      ref={form}
      onChange={checkAgain}
      onSubmit={submit}
      onInvalidCapture={handleInvalid}
      aria-labelledby="register-title"
      method="post"
      action="/#register"
    >
      {children}
    </form>
  );
}

function Refusal() {
  const { refusal } = useRegistration();
  return (
    refusal && (
      <Alert role="alert" color="red" title="Error">
        {refusal}
      </Alert>
    )
  );
}

function Honeypot() {
  const { honeypot } = useRegistration();
  return (
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
  );
}

function Notices() {
  const { refusal, wrongFields, isSubmitting } = useRegistration();
  const isLate = useSlowRequest(isSubmitting);
  return (
    <>
      {!refusal && wrongFields > 0 && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {wrongFields === 1
            ? 'One field is not right yet: it is marked above.'
            : `${wrongFields} fields are not right yet: they are marked above.`}
        </Text>
      )}
      {isLate && (
        <Text role="alert" size="sm">
          {SLOW_REQUEST} What you have typed is kept.
        </Text>
      )}
    </>
  );
}

function SubmitButton() {
  const { submitButton, isSubmitting } = useRegistration();
  return (
    <PlainButton ref={submitButton} type="submit" size="md" disabled={isSubmitting} onClick={ignoreSecondClick}>
      {isSubmitting ? 'Registering...' : 'Register Agent'}
    </PlainButton>
  );
}

// The second click of a double click would send the form that the first has emptied.
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}

function DraftButton() {
  const { isReady, isSubmitting, saveAsDraft } = useRegistration();
  return (
    <PlainButton
      type="button"
      className="needs-scripts"
      size="md"
      variant="default"
      disabled={!isReady || isSubmitting}
      onClick={saveAsDraft}
    >
      Save Draft
    </PlainButton>
  );
}
