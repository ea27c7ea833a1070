import {
  apiAccessOptions,
  categories,
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
import { useFormik } from 'formik';
import { useEffect, useEffectEvent, useRef, useState, type FormEvent, type MouseEvent } from 'react';
import { SLOW_REQUEST, useSlowRequest } from '../../api/use-slow-request.ts';
import { useToast } from '../toasts/toast-context.ts';
import { readDraft, saveDraft } from './draft.ts';
import { useFormState } from './form-state.ts';
import { initialValues, isEmpty, readFormData, TERMS_FIELD, toNewAgentInput, validate } from './form-values.ts';
import classes from './RegisterForm.module.css';
import { useRegister } from './use-register.ts';

const categoryOptions = [
  { value: '', label: 'Select a category' },
  ...categories.map(({ id, name }) => ({ value: id, label: name })),
];
/** Rows of the description field. */
const DESCRIPTION_ROWS = 4;

const required = { withAsterisk: true, 'aria-required': true };

/** The registration form. Without scripts it is posted to the server, which responds with the same form and its errors. */
export function RegisterForm() {
  const showToast = useToast();
  const formState = useFormState();
  const { register, isSubmitting, registeredCount } = useRegister();
  const isSlow = useSlowRequest(isSubmitting);
  const form = useRef<HTMLFormElement>(null);
  const terms = useRef<HTMLInputElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const [refused, setRefused] = useState(() => formState.read().refused);
  const [validateOnChange, setValidateOnChange] = useState(refused !== undefined);
  const [hasAgreed, setHasAgreed] = useState(false);
  const [honeypot, setHoneypot] = useState('');
  const [isHydrated, setIsHydrated] = useState(false);

  const formik = useFormik({
    initialValues: refused?.values ?? initialValues,
    initialErrors: refused?.errors ?? {},
    validate,
    validateOnBlur: false,
    validateOnChange,
    onSubmit: async (values) => {
      // The browser says that the terms are required.
      if (!terms.current?.reportValidity()) return;
      await register({ ...toNewAgentInput(values), ...(honeypot && { [HONEYPOT_FIELD]: honeypot }) });
      // A person whose browser filled in the hidden field can submit again.
      setHoneypot('');
    },
  });
  const { values, errors, submitCount, setValues, resetForm } = formik;
  const errorCount = Object.keys(errors).length;

  // Text typed before hydration, else the values before a visit to another page, else the draft.
  useEffect(() => {
    if (!form.current) return;
    const data = new FormData(form.current);
    const saved = [readFormData(data), formState.read().values, readDraft()].find((found) => found && !isEmpty(found));
    if (saved) void setValues(saved, false);
    setHasAgreed(data.has(TERMS_FIELD));
    setIsHydrated(true);
    return () => formState.write({ refused: undefined });
  }, [formState, setValues]);

  useEffect(() => {
    if (isHydrated) formState.write({ values });
  }, [isHydrated, formState, values]);

  // The registration may have been sent by an earlier form, before a visit to another page.
  const reset = useEffectEvent(() => {
    resetForm({ values: initialValues, errors: {} });
    setRefused(undefined);
    setValidateOnChange(false);
    setHasAgreed(false);
  });
  const countBefore = useRef(registeredCount);
  useEffect(() => {
    if (registeredCount === countBefore.current) return;
    countBefore.current = registeredCount;
    reset();
  }, [registeredCount]);

  // The first invalid field gets the focus after validation.
  useEffect(() => {
    if (submitCount > 0 && !formik.isSubmitting) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [submitCount, formik.isSubmitting]);

  // Disabled while submitting, the button has lost the focus to the page.
  useEffect(() => {
    if (!isSubmitting) return;
    const button = submitButton.current;
    return () => {
      if (document.activeElement?.contains(button)) button?.focus();
    };
  }, [isSubmitting]);

  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    setRefused(undefined);
    setValidateOnChange(true);
    formik.handleSubmit(event);
  };

  const handleSaveDraft = () =>
    showToast(
      saveDraft(values)
        ? { title: 'Draft saved', message: 'Your draft is kept in this browser.', variant: 'default' }
        : { title: 'Error', message: 'This browser does not allow drafts to be kept.', variant: 'destructive' },
    );

  const field = (name: keyof typeof initialValues) => ({
    ...formik.getFieldProps(name),
    id: `register-${name}`,
    dir: 'auto',
    error: errors[name],
  });

  return (
    <form
      ref={form}
      method="post"
      action="/#register"
      aria-labelledby="register-title"
      // Without scripts the browser validates.
      noValidate={isHydrated}
      onSubmit={handleSubmit}
    >
      <fieldset disabled={isSubmitting} className={classes.fieldset}>
        <Stack gap="md">
          {refused && (
            <Alert role="alert" color="red" title="Error">
              {refused.message}
            </Alert>
          )}
          <TextInput {...field('name')} label="Agent Name" placeholder="My Helpful Agent" {...required} />
          <Textarea
            {...field('description')}
            label="Description"
            placeholder="What does it do, for whom, and what does it need?"
            rows={DESCRIPTION_ROWS}
            description={`Plain text, at most ${formatCount(MAX_DESCRIPTION_LENGTH)} characters.`}
            {...required}
          />
          <NativeSelect {...field('category')} label="Category" data={categoryOptions} {...required} />
          <TextInput
            {...field('capabilities')}
            label="Capabilities"
            placeholder="translation, summaries, voice"
            description={`Separated by commas, at most ${MAX_CAPABILITIES}.`}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            <TextInput
              {...field('contactEmail')}
              type="email"
              label="Contact Email"
              placeholder="you@example.com"
              description="Shown on the agent’s page."
              autoComplete="email"
              {...required}
            />
            <TextInput
              {...field('website')}
              type="url"
              label="Website"
              placeholder="https://example.com"
              description="Optional, http or https."
              autoComplete="url"
            />
            <NativeSelect {...field('pricingModel')} label="Pricing Model" data={[...pricingModels]} />
            <NativeSelect {...field('apiAccess')} label="API Access" data={[...apiAccessOptions]} />
          </SimpleGrid>
          <Checkbox
            ref={terms}
            id="register-terms"
            name={TERMS_FIELD}
            required
            checked={hasAgreed}
            onChange={(event) => setHasAgreed(event.currentTarget.checked)}
            // The browser must not restore consent.
            autoComplete="off"
            label="I agree to the terms: I may list this agent, what I say of it is true, and all of it will be public."
          />
          <div aria-hidden className={classes.honeypot}>
            <label htmlFor="register-honeypot">Leave this empty</label>
            <input
              id="register-honeypot"
              name={HONEYPOT_FIELD}
              value={honeypot}
              onChange={(event) => setHoneypot(event.currentTarget.value)}
              tabIndex={-1}
              autoComplete="off"
              // Password managers skip fields with these attributes.
              data-1p-ignore
              data-bwignore
              data-lpignore="true"
            />
          </div>
          {!refused && errorCount > 0 && (
            <Text role="alert" size="sm" c="var(--mantine-color-error)">
              {errorCount === 1
                ? 'One field is not right yet: it is marked above.'
                : `${errorCount} fields are not right yet: they are marked above.`}
            </Text>
          )}
          {isSlow && (
            <Text role="alert" size="sm">
              {SLOW_REQUEST} What you have typed is kept.
            </Text>
          )}
          <Group gap="sm">
            <Button ref={submitButton} type="submit" size="md" disabled={isSubmitting} onClick={ignoreSecondClick}>
              {isSubmitting ? 'Registering...' : 'Register Agent'}
            </Button>
            <Button
              className="needs-scripts"
              size="md"
              variant="default"
              disabled={!isHydrated || isSubmitting}
              onClick={handleSaveDraft}
            >
              Save Draft
            </Button>
          </Group>
        </Stack>
      </fieldset>
    </form>
  );
}

/** Without it, the second click of a double click would submit the form that the first has reset. */
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}
