import {
  apiAccessOptions,
  categories,
  DESCRIPTION_ROWS,
  MAX_CAPABILITIES,
  MAX_DESCRIPTION_LENGTH,
  pricingModels,
} from '@agent-registry/contracts';
import { Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useFormik } from 'formik';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useToast } from '../toasts/toast-context.ts';
import { readDraft, removeDraft, saveDraft } from './draft.ts';
import { initialValues, toNewAgent, validate, type RegisterFormValues } from './form-values.ts';
import { useRegister } from './use-register.ts';

const categoryOptions = [
  { value: '', label: 'Select a category' },
  ...categories.map(({ id, name }) => ({ value: id, label: name })),
];

/** The form that registers an agent: validated on submit, and from then on at every change. */
export function RegisterForm() {
  const showToast = useToast();
  const register = useRegister();
  const form = useRef<HTMLFormElement>(null);
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const [acceptsTerms, setAcceptsTerms] = useState(false);
  const { values, errors, setValues, getFieldProps, handleSubmit, validateForm, resetForm } =
    useFormik<RegisterFormValues>({
      initialValues,
      validate,
      validateOnBlur: false,
      validateOnChange: wasSubmitted,
      onSubmit: async (submitted) => {
        const isRegistered = await register.submit(toNewAgent(submitted));
        if (!isRegistered) return;
        removeDraft();
        setWasSubmitted(false);
        setAcceptsTerms(false);
        resetForm();
      },
    });

  useEffect(() => {
    const draft = readDraft();
    if (draft) void setValues(draft, false);
  }, [setValues]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    setWasSubmitted(true);
    handleSubmit(event);
    const found = await validateForm();
    const first = Object.keys(initialValues).find((field) => field in found);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  // The browser checks the terms, and tells of them itself. Of the other fields the form tells, in its own words.
  const handleInvalid = (event: FormEvent<HTMLFormElement>) => {
    if ((event.target as HTMLInputElement).name !== 'terms') event.preventDefault();
    setWasSubmitted(true);
    void validateForm();
  };

  const saveAsDraft = () => {
    showToast(
      saveDraft(values)
        ? { title: 'Draft saved', message: 'Your draft is kept in this browser.', variant: 'default' }
        : { title: 'Error', message: 'This browser does not allow drafts to be kept.', variant: 'destructive' },
    );
  };

  const field = (name: keyof RegisterFormValues) => ({ ...getFieldProps(name), error: errors[name] });
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
    >
      <Stack gap="md">
        <TextInput label="Agent Name" placeholder="My Helpful Agent" {...requiredField('name')} />
        <Textarea
          label="Description"
          placeholder="What does it do, for whom, and what does it need?"
          rows={DESCRIPTION_ROWS}
          description={`Plain text, at most ${MAX_DESCRIPTION_LENGTH.toLocaleString('en-US')} characters.`}
          {...requiredField('description')}
        />
        <NativeSelect label="Category" data={categoryOptions} {...requiredField('category')} />
        <TextInput
          label="Capabilities"
          placeholder="translation, summaries, voice"
          description={`Separated by commas, at most ${MAX_CAPABILITIES}.`}
          {...field('capabilities')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <TextInput
            type="email"
            label="Contact Email"
            placeholder="you@example.com"
            description="Shown on the agent’s page."
            autoComplete="email"
            {...requiredField('contactEmail')}
          />
          <TextInput
            type="url"
            label="Website"
            placeholder="https://example.com"
            description="Optional, http or https."
            autoComplete="url"
            {...field('website')}
          />
          <NativeSelect label="Pricing Model" data={[...pricingModels]} {...field('pricingModel')} />
          <NativeSelect label="API Access" data={[...apiAccessOptions]} {...field('apiAccess')} />
        </SimpleGrid>
        <Checkbox
          name="terms"
          required
          checked={acceptsTerms}
          onChange={(event) => setAcceptsTerms(event.currentTarget.checked)}
          label="I agree to the terms: I may list this agent, what I say of it is true, and all of it will be public."
        />
        <Group gap="sm">
          <Button type="submit" size="md" disabled={register.isSubmitting}>
            {register.isSubmitting ? 'Registering...' : 'Register Agent'}
          </Button>
          <Button type="button" size="md" variant="default" onClick={saveAsDraft}>
            Save Draft
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
