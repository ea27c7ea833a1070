import { HONEYPOT_FIELD } from '@agent-registry/contracts';
import { useMounted } from '@mantine/hooks';
import { useFormik } from 'formik';
import {
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ChangeEvent,
  type FormEvent,
} from 'react';
import { useToast } from '../toasts/toast-context.ts';
import { readDraft, saveDraft } from './draft.ts';
import { useFormMemory } from './form-memory.ts';
import { initialValues, readFields, TERMS_FIELD, type RegisterFormValues } from './form-values.ts';
import { useRegister } from './use-register.ts';
import { toNewAgent, validate } from './validation.ts';

/** What the registration form does: it is validated on submit, and from then on at every change. */
export function useRegisterForm() {
  const showToast = useToast();
  const register = useRegister();
  const memory = useFormMemory();
  const form = useRef<HTMLFormElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const honeypot = useRef<HTMLInputElement>(null);
  const isAwaited = useRef(false);
  const [refused, setRefused] = useState(() => memory.read().refused);
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
        isAwaited.current = true;
        await register.submit({ ...toNewAgent(submitted), ...(bait && { [HONEYPOT_FIELD]: bait }) });
        // A person whose browser has filled it in can send the form again.
        if (honeypot.current) honeypot.current.value = '';
      },
    });

  // What was typed before the scripts of the page ran, else before the visitor went to another page, else the draft.
  useEffect(() => {
    if (!form.current) return;
    const fields = new FormData(form.current);
    const typed = readFields(fields);
    const isBlank = JSON.stringify(typed) === JSON.stringify(initialValues);
    const kept = isBlank ? (memory.read().values ?? readDraft()) : typed;
    // Set even where there is nothing, so that the code for a change has run before the first key is pressed.
    void setValues(kept ?? initialValues, false);
    setAcceptsTerms(fields.has(TERMS_FIELD));
  }, [memory, setValues]);
  useEffect(() => {
    if (values !== initialValues) memory.keep({ values });
  }, [memory, values]);

  // What is registered may have been sent before a visit to another page, by the form that was here then.
  const empty = useEffectEvent(() => {
    setRefused(undefined);
    setWasSubmitted(false);
    setAcceptsTerms(false);
    resetForm({ values: initialValues, errors: {} });
  });
  useEffect(() => {
    memory.keep({ empty: () => empty() });
    return () => memory.keep({ empty: undefined });
  }, [memory]);

  // The key that was pressed is seen before what it makes right or wrong.
  useEffect(() => {
    if (wasSubmitted) startTransition(() => setErrors(validate(values)));
  }, [wasSubmitted, values, setErrors]);

  const showErrors = async () => {
    setWasSubmitted(true);
    setRefused(undefined);
    const found = await validateForm();
    const first = Object.keys(initialValues).find((field) => field in found);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  // While it was disabled, the button lost the focus to the page, or to the section around it if it was clicked again.
  useEffect(() => {
    if (register.isSubmitting || !isAwaited.current) return;
    isAwaited.current = false;
    if (document.activeElement?.contains(form.current)) submitButton.current?.focus();
  }, [register.isSubmitting]);

  const acceptTerms = useCallback(({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    setAcceptsTerms(currentTarget.checked);
  }, []);

  const saveAsDraft = useCallback(() => {
    showToast(
      saveDraft(memory.read().values ?? initialValues)
        ? { title: 'Draft saved', message: 'Your draft is kept in this browser.', variant: 'default' }
        : { title: 'Error', message: 'This browser does not allow drafts to be kept.', variant: 'destructive' },
    );
  }, [memory, showToast]);

  const isValid = () => Object.keys(validate(values)).length === 0;

  return {
    form,
    submitButton,
    honeypot,
    getFieldProps,
    errors,
    acceptsTerms,
    isSubmitting: register.isSubmitting,
    /** Whether the scripts have taken the form over. */
    isReady,
    /** What is wrong with a registration that was sent without scripts, besides the fields. */
    refusal: refused?.message,
    /** How many fields are wrong, once that is to be told. */
    wrongFields: wasSubmitted ? Object.keys(errors).length : 0,
    acceptTerms,
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      void (isValid() ? submitForm() : showErrors());
    },
    /** The browser checks the terms and, in its own way, the addresses. While a field is wrong by our rules, ours are told. */
    handleInvalid: (event: FormEvent<HTMLFormElement>) => {
      if (isValid()) return;
      event.preventDefault();
      void showErrors();
    },
    saveAsDraft,
  };
}

/** What the registration form does. */
export type Registration = ReturnType<typeof useRegisterForm>;
