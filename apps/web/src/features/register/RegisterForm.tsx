import { HONEYPOT_FIELD, type Prefill } from '@agent-registry/contracts';
import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useFormik } from 'formik';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { SLOW_REQUEST, useSlowRequest } from '../../components/AsyncState.tsx';
import classes from '../../components/agent-form/AgentForm.module.css';
import { AgentFields, noAutofill } from '../../components/agent-form/AgentFields.tsx';
import { AgentForm } from '../../components/agent-form/AgentForm.tsx';
import { ErrorSummary, toFieldId } from '../../components/agent-form/ErrorSummary.tsx';
import {
  initialValues,
  TERMS_FIELD,
  toNewAgentInput,
  validate,
  type RegisterFormErrors,
  type RegisterFormValues,
} from '../../components/agent-form/form-values.ts';
import { describeFilled, fillIn, findGap, type FilledFields } from '../../components/agent-form/prefill-values.ts';
import { FormFailure } from '../../components/FormFailure.tsx';
import { useEarlyFields, useRefusedForm } from '../../components/agent-form/refused-form.ts';
import { useToast } from '../../lib/toast-context.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { saveDraft, useDraft } from './draft.ts';
import { PrefillForm } from './PrefillForm.tsx';
import { RegisteredPanel } from './RegisteredPanel.tsx';
import { useRegister } from './use-register.ts';

const ACTION = '/#register';

export function RegisterForm() {
  const registration = useRegister();
  const { registered, isSubmitting, reset } = registration;
  const result = useRef<HTMLDivElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);

  // The result takes the focus that the disabled button has lost, unless the visitor has moved on.
  useDidUpdate(() => {
    const { activeElement, body } = document;
    const hasLostFocus = activeElement === body || activeElement === submitButton.current;
    if (isSubmitting || !hasLostFocus) return;
    result.current?.focus({ preventScroll: true });
    // The panel can be higher than the screen, and begins with the link that is shown only once.
    result.current?.scrollIntoView({ block: registered ? 'start' : 'nearest' });
  }, [isSubmitting]);

  if (registered) return <RegisteredPanel ref={result} own={registered} onRegisterAnother={reset} />;
  return <Form {...registration} result={result} submitButton={submitButton} />;
}

type FormProps = Pick<ReturnType<typeof useRegister>, 'isSubmitting' | 'failure' | 'register'> & {
  result: RefObject<HTMLDivElement | null>;
  submitButton: RefObject<HTMLButtonElement | null>;
};

/** Without scripts the form is posted to the server, which responds with the same form and its errors. */
function Form({ isSubmitting, failure, register, result, submitButton }: FormProps) {
  const posted = useRefusedForm();
  const earlyFields = useEarlyFields(ACTION);
  const terms = useRef<HTMLInputElement>(null);
  const honeypot = useRef<HTMLInputElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const { prefilled } = posted ?? {};
  const [refused, setRefused] = useState(prefilled ? undefined : posted);
  // From the first submission on, every change is validated.
  const [isSubmitted, setIsSubmitted] = useState(refused !== undefined);
  const isHydrated = useHydrated();

  const formik = useFormik({
    initialValues: posted?.values ?? initialValues,
    initialErrors: refused?.errors ?? {},
    validate: (edited) => validate(edited),
    validateOnBlur: false,
    validateOnChange: isSubmitted,
    onSubmit: async (submitted) => {
      // The browser says that the terms are required.
      if (!terms.current?.reportValidity()) return;
      const bait = honeypot.current?.value;
      await register({ ...toNewAgentInput(submitted), ...(bait && { [HONEYPOT_FIELD]: bait }) });
      // A person whose browser filled in the hidden field can submit again.
      if (honeypot.current) honeypot.current.value = '';
    },
  });
  const { values, errors, submitCount, getFieldProps, setValues, setFieldValue } = formik;
  const { filled, fill, undo } = useFilledFields({ values, setValues, setFieldValue }, prefilled?.filled);

  useDraft({ values, setValues, earlyFields });

  useEffect(() => {
    if (submitCount > 0 && !formik.isSubmitting) summary.current?.focus();
  }, [submitCount, formik.isSubmitting]);

  return (
    <AgentForm
      action={ACTION}
      aria-labelledby="register-title"
      // The browser must not restore consent.
      autoComplete="off"
      {...{ values, refused, errors, isHydrated }}
      before={
        <PrefillForm
          url={prefilled?.url}
          message={prefilled && posted?.message}
          onFound={fill}
          onCategory={(id) => void setFieldValue('category', id)}
        />
      }
      onSubmit={(event) => {
        setRefused(undefined);
        setIsSubmitted(true);
        formik.handleSubmit(event);
      }}
    >
      <AgentFields {...{ values, errors, getFieldProps, setFieldValue, filled }} onUndo={undo} isNew />
      <Terms ref={terms} isSubmitted={isSubmitted} />
      <Honeypot ref={honeypot} />
      {!refused && <Errors ref={summary} errors={errors} />}
      {/* The toast has announced it. */}
      <FormFailure ref={result} role="group" className={classes.alert} title="Error">
        {failure}
      </FormFailure>
      <SlowNotice isSubmitting={isSubmitting} />
      <Group gap="sm">
        <Button ref={submitButton} type="submit" size="md" disabled={isSubmitting} className={classes.submit}>
          {isSubmitting ? 'Registering...' : 'Register Agent'}
        </Button>
        <SaveDraftButton values={values} isHydrated={isHydrated} />
      </Group>
    </AgentForm>
  );
}

function Terms({ ref, isSubmitted }: { ref: RefObject<HTMLInputElement | null>; isSubmitted: boolean }) {
  return (
    <Checkbox
      ref={ref}
      id="register-terms"
      name={TERMS_FIELD}
      required
      // Browsers call an empty required field invalid.
      aria-invalid={isSubmitted ? undefined : false}
      size="sm"
      classNames={{ body: classes.terms }}
      label="I agree to the terms: I may list this agent, what I say of it is true, and all of it will be public."
    />
  );
}

function Honeypot({ ref }: { ref: RefObject<HTMLInputElement | null> }) {
  return (
    <div aria-hidden className="visually-hidden">
      <label htmlFor="register-honeypot">Leave this empty</label>
      <input ref={ref} id="register-honeypot" name={HONEYPOT_FIELD} tabIndex={-1} {...noAutofill} />
    </div>
  );
}

function Errors({ ref, errors }: { ref: RefObject<HTMLDivElement | null>; errors: RegisterFormErrors }) {
  const count = Object.keys(errors).length;
  if (count === 0) return null;
  const title = count === 1 ? 'One field is not right yet:' : `${count} fields are not right yet:`;
  return <ErrorSummary ref={ref} title={title} errors={errors} />;
}

function SlowNotice({ isSubmitting }: { isSubmitting: boolean }) {
  const isSlow = useSlowRequest(isSubmitting);
  if (!isSlow) return null;
  return (
    <Text role="alert" size="sm">
      {SLOW_REQUEST} What you have typed is kept.
    </Text>
  );
}

function SaveDraftButton({ values, isHydrated }: { values: RegisterFormValues; isHydrated: boolean }) {
  const showToast = useToast();
  const save = () =>
    showToast(
      saveDraft(values)
        ? { title: 'Draft saved', message: 'Your draft is kept in this browser.' }
        : { title: 'Error', message: 'This browser does not allow drafts to be kept.', variant: 'destructive' },
    );
  return (
    <Button className="needs-scripts" size="md" variant="default" disabled={!isHydrated} onClick={save}>
      Save Draft
    </Button>
  );
}

type FilledForm = Pick<ReturnType<typeof useFormik<RegisterFormValues>>, 'values' | 'setValues' | 'setFieldValue'>;

function useFilledFields({ values, setValues, setFieldValue }: FilledForm, initiallyFilled: FilledFields = {}) {
  const [filled, setFilled] = useState(initiallyFilled);

  /** Fills in the empty fields, and leads to the first that is still missing. Returns what became of them, as a sentence. */
  const fill = (prefill: Prefill): string => {
    const next = fillIn(values, prefill);
    setFilled({ ...filled, ...next.filled });
    void setValues(next.values);
    const gap = findGap(next.values);
    if (gap) document.getElementById(toFieldId(gap))?.focus();
    return describeFilled(next.filled, prefill);
  };
  const undo = useCallback(
    (field: keyof RegisterFormValues) => {
      const { [field]: undone, ...rest } = filled;
      setFilled(rest);
      if (undone) void setFieldValue(field, undone.before);
      document.getElementById(toFieldId(field))?.focus();
    },
    [filled, setFieldValue],
  );
  return { filled, fill, undo };
}
