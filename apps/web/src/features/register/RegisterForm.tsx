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
import { useMounted } from '@mantine/hooks';
import { useFormik } from 'formik';
import {
  memo,
  startTransition,
  useCallback,
  useEffect,
  useRef,
  useState,
  type ChangeEvent,
  type FormEvent,
} from 'react';
import { useToast } from '../toasts/toast-context.ts';
import { readDraft, removeDraft, saveDraft } from './draft.ts';
import { useFormMemory } from './form-memory.ts';
import { initialValues, readFields, TERMS_FIELD, type RegisterFormValues } from './form-values.ts';
import { LATE, useIsLate } from '../../use-is-late.ts';
import classes from './RegisterForm.module.css';
import { useRegister } from './use-register.ts';
import { toNewAgent, validate } from './validation.ts';

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

/** The form that registers an agent: validated on submit, and from then on at every change. Without scripts it is posted. */
export function RegisterForm() {
  const showToast = useToast();
  const register = useRegister();
  const memory = useFormMemory();
  const form = useRef<HTMLFormElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const honeypot = useRef<HTMLInputElement>(null);
  const isUnderWay = useRef(false);
  const [refused, setRefused] = useState(() => memory.readRefused());
  const [wasSubmitted, setWasSubmitted] = useState(refused !== undefined);
  const [acceptsTerms, setAcceptsTerms] = useState(false);
  const isReady = useMounted();
  const { values, errors, setErrors, setValues, getFieldProps, submitForm, validateForm, resetForm } =
    useFormik<RegisterFormValues>({
      initialValues: refused?.values ?? initialValues,
      initialErrors: refused?.errors ?? {},
      validate,
      validateOnBlur: false,
      validateOnChange: false,
      onSubmit: async (submitted) => {
        const bait = honeypot.current?.value;
        const isRegistered = await register.submit({
          ...toNewAgent(submitted),
          ...(bait && { [HONEYPOT_FIELD]: bait }),
        });
        // A person whose browser has filled it in can send the form again.
        if (honeypot.current) honeypot.current.value = '';
        if (!isRegistered) return;
        removeDraft();
        memory.forget();
        setRefused(undefined);
        setWasSubmitted(false);
        setAcceptsTerms(false);
        resetForm({ values: initialValues, errors: {} });
      },
    });

  // What was typed before the scripts of the page ran, else before the visitor went to another page, else the draft.
  useEffect(() => {
    if (!form.current) return;
    const fields = new FormData(form.current);
    const typed = readFields(fields);
    const isBlank = JSON.stringify(typed) === JSON.stringify(initialValues);
    const kept = isBlank ? (memory.readValues() ?? readDraft()) : typed;
    if (kept) void setValues(kept, false);
    setAcceptsTerms(fields.has(TERMS_FIELD));
  }, [memory, setValues]);
  useEffect(() => {
    if (values !== initialValues) memory.keepValues(values);
  }, [memory, values]);

  // The key that was pressed is seen before what it makes right or wrong.
  useEffect(() => {
    if (wasSubmitted) startTransition(() => setErrors(validate(values)));
  }, [wasSubmitted, values, setErrors]);

  const isLate = useIsLate(register.isSubmitting);
  const wrongFields = Object.keys(errors).length;

  const showErrors = async () => {
    setWasSubmitted(true);
    setRefused(undefined);
    const found = await validateForm();
    const first = Object.keys(initialValues).find((field) => field in found);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    const isValid = Object.keys(validate(values)).length === 0;
    await (isValid ? submitForm() : showErrors());
    isUnderWay.current = false;
  };

  // While it was disabled, the button lost the focus to the page, or to the section around it if it was clicked again.
  const wasSubmitting = useRef(false);
  useEffect(() => {
    const isOver = wasSubmitting.current && !register.isSubmitting;
    wasSubmitting.current = register.isSubmitting;
    if (isOver && document.activeElement?.contains(form.current)) submitButton.current?.focus();
  }, [register.isSubmitting]);

  // The browser checks the terms and, in its own way, the addresses. While a field is wrong by our rules, ours are told.
  const handleInvalid = (event: FormEvent<HTMLFormElement>) => {
    if (Object.keys(validate(values)).length === 0) return;
    event.preventDefault();
    void showErrors();
  };

  const saveAsDraft = () => {
    showToast(
      saveDraft(values)
        ? { title: 'Draft saved', message: 'Your draft is kept in this browser.', variant: 'default' }
        : { title: 'Error', message: 'This browser does not allow drafts to be kept.', variant: 'destructive' },
    );
  };

  const acceptTerms = useCallback(({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    setAcceptsTerms(currentTarget.checked);
  }, []);

  const field = (name: keyof RegisterFormValues) => ({
    ...getFieldProps(name),
    dir: 'auto',
    error: errors[name],
    disabled: register.isSubmitting,
  });
  const requiredField = (name: keyof RegisterFormValues) => ({
    ...field(name),
    withAsterisk: true,
    'aria-required': true,
  });

  return (
    <form
      ref={form}
      onSubmit={(event) => void submit(event)}
      onInvalidCapture={handleInvalid}
      aria-labelledby="register-title"
      method="post"
      action="/#register"
    >
      <Stack gap="md">
        {refused?.message && (
          <Alert role="alert" color="red" title="Error">
            {refused.message}
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
          disabled={register.isSubmitting}
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
        {wasSubmitted && !refused?.message && wrongFields > 0 && (
          <Text role="alert" size="sm" c="error">
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
            disabled={register.isSubmitting}
            // The second click of a double click would send the form that the first has emptied.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
          >
            {register.isSubmitting ? 'Registering...' : 'Register Agent'}
          </Button>
          <Button
            type="button"
            className="needs-scripts"
            size="md"
            variant="default"
            disabled={!isReady || register.isSubmitting}
            onClick={saveAsDraft}
          >
            Save Draft
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
