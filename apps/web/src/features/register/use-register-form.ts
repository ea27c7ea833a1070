import { HONEYPOT_FIELD } from '@agent-registry/contracts';
import { useMounted } from '@mantine/hooks';
import { useFormik } from 'formik';
import { startTransition, useCallback, useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react';
import { useToast } from '../toasts/toast-context.ts';
import { readDraft, saveDraft } from './draft.ts';
import { useFormState } from './form-state.ts';
import { initialValues, readForm, writeForm, type RegisterFormValues } from './form-values.ts';
import { useRegister } from './use-register.ts';
import { toNewAgent, validate } from './validation.ts';

/**
 * What the registration form does: it is validated on submit, and from then on at every change. What is typed stands in the
 * fields alone and is read from there, so that a key that is pressed renders nothing.
 */
export function useRegisterForm() {
  const showToast = useToast();
  const register = useRegister();
  const memory = useFormState();
  const form = useRef<HTMLFormElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const honeypot = useRef<HTMLInputElement>(null);
  const isAwaited = useRef(false);
  const [refused, setRefused] = useState(() => memory.read().refused);
  const [wasSubmitted, setWasSubmitted] = useState(refused !== undefined);
  const isReady = useMounted();
  const {
    initialValues: firstValues,
    errors,
    setErrors,
    setValues,
    submitForm,
    resetForm,
  } = useFormik<RegisterFormValues>({
    initialValues: refused?.values ?? initialValues,
    initialErrors: refused?.errors ?? {},
    validate,
    onSubmit: async (submitted) => {
      const bait = honeypot.current?.value;
      isAwaited.current = true;
      await register.submit({ ...toNewAgent(submitted), ...(bait && { [HONEYPOT_FIELD]: bait }) });
      // A person whose browser has filled it in can send the form again.
      if (honeypot.current) honeypot.current.value = '';
    },
  });

  // What was typed before the scripts of the page ran, else before the visitor went to another page, else the draft.
  useEffect(() => {
    if (!form.current) return;
    const typed = readForm(form.current);
    const isBlank = JSON.stringify(typed) === JSON.stringify(initialValues);
    const kept = isBlank ? (memory.read().values ?? readDraft()) : typed;
    if (!kept) return;
    memory.keep({ values: kept });
    if (kept !== typed) writeForm(form.current, kept);
  }, [memory]);

  // What is registered may have been sent before a visit to another page, by the form that was here then.
  const empty = useEffectEvent(() => {
    form.current?.reset();
    // What was sent without scripts and refused is what the fields go back to.
    if (form.current) writeForm(form.current, initialValues);
    setRefused(undefined);
    setWasSubmitted(false);
    resetForm({ values: initialValues, errors: {} });
  });
  // What was wrong is told on the page that was sent; what is typed since is what another visit finds.
  useEffect(() => {
    memory.keep({ empty: () => empty() });
    return () => memory.keep({ empty: undefined, refused: undefined });
  }, [memory]);

  // The key that was pressed is seen before what it makes right or wrong.
  const checkAgain = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    if (wasSubmitted) startTransition(() => setErrors(validate(readForm(currentTarget))));
  };

  const showErrors = async (values: RegisterFormValues) => {
    setWasSubmitted(true);
    setRefused(undefined);
    const found = (await setValues(values)) ?? {};
    const first = Object.keys(initialValues).find((field) => field in found);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  // While it was disabled, the button lost the focus to the page, or to the section around it if it was clicked again.
  useEffect(() => {
    if (register.isSubmitting || !isAwaited.current) return;
    isAwaited.current = false;
    if (document.activeElement?.contains(form.current)) submitButton.current?.focus();
  }, [register.isSubmitting]);

  const saveAsDraft = useCallback(() => {
    showToast(
      saveDraft(memory.read().values ?? initialValues)
        ? { title: 'Draft saved', message: 'Your draft is kept in this browser.', variant: 'default' }
        : { title: 'Error', message: 'This browser does not allow drafts to be kept.', variant: 'destructive' },
    );
  }, [memory, showToast]);

  return {
    form,
    submitButton,
    honeypot,
    /** What the fields hold at first. */
    firstValues,
    errors,
    isSubmitting: register.isSubmitting,
    /** Whether the scripts have taken the form over. */
    isReady,
    /** What is wrong with a registration that was sent without scripts, besides the fields. */
    refusal: refused?.message,
    /** How many fields are wrong, once that is to be told. */
    wrongFields: wasSubmitted ? Object.keys(errors).length : 0,
    checkAgain,
    submit: async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const values = readForm(event.currentTarget);
      if (!isValid(values)) return showErrors(values);
      await setValues(values, false);
      await submitForm();
    },
    /** The browser checks the terms and, in its own way, the addresses. While a field is wrong by our rules, ours are told. */
    handleInvalid: (event: FormEvent<HTMLFormElement>) => {
      const values = readForm(event.currentTarget);
      if (isValid(values)) return;
      event.preventDefault();
      void showErrors(values);
    },
    saveAsDraft,
  };
}

function isValid(values: RegisterFormValues): boolean {
  return Object.keys(validate(values)).length === 0;
}

/** What the registration form does. */
export type Registration = ReturnType<typeof useRegisterForm>;
