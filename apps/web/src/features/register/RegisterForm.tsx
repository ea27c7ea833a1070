import { HONEYPOT_FIELD, type Prefill } from '@agent-registry/contracts';
import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useFormik } from 'formik';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { SLOW_REQUEST, useSlowRequest } from '../../api/use-slow-request.ts';
import classes from '../../components/agent-form/AgentForm.module.css';
import { AgentFields, noAutofill } from '../../components/agent-form/AgentFields.tsx';
import { AgentForm } from '../../components/agent-form/AgentForm.tsx';
import { ErrorSummary, toFieldId } from '../../components/agent-form/ErrorSummary.tsx';
import {
  initialValues,
  isEmpty,
  readFormData,
  TERMS_FIELD,
  toNewAgentInput,
  validate,
  type RegisterFormValues,
} from '../../components/agent-form/form-values.ts';
import { PrefillForm } from '../../components/agent-form/PrefillForm.tsx';
import { describeFilled, fillIn, findGap, type FilledFields } from '../../components/agent-form/prefill-values.ts';
import { useEarlyFields } from '../../components/agent-form/use-early-fields.ts';
import { FormFailure } from '../../components/FormFailure.tsx';
import { useRefusedForm } from '../../components/agent-form/refused-form.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import { useToast } from '../../lib/toast-context.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { readDraft, saveDraft } from './draft.ts';
import { RegisteredPanel } from './RegisteredPanel.tsx';
import { usePostedRegistration } from './use-posted-registration.ts';
import { useRegister } from './use-register.ts';

/** Where the form is posted without scripts. */
const ACTION = '/#register';

/** The registration form, and the panel that replaces it after a success. */
export function RegisterForm() {
  const registration = useRegister();
  const { isSubmitting, reset } = registration;
  const [posted, forgetPosted] = usePostedRegistration();
  const registered = registration.registered ?? posted;
  const result = useRef<HTMLDivElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);

  // The result takes the focus that the disabled button has lost, unless the visitor has moved on.
  const wasSubmitting = useRef(false);
  useEffect(() => {
    const { activeElement, body } = document;
    const hasLostFocus = activeElement === body || activeElement === submitButton.current;
    if (wasSubmitting.current && !isSubmitting && hasLostFocus) result.current?.focus();
    wasSubmitting.current = isSubmitting;
  }, [isSubmitting]);

  const registerAnother = () => {
    forgetPosted();
    reset();
  };
  if (registered) return <RegisteredPanel ref={result} own={registered} onRegisterAnother={registerAnother} />;
  return <Form {...registration} result={result} submitButton={submitButton} />;
}

type FormProps = Pick<ReturnType<typeof useRegister>, 'isSubmitting' | 'failure' | 'register'> & {
  result: RefObject<HTMLDivElement | null>;
  submitButton: RefObject<HTMLButtonElement | null>;
};

/** Without scripts the form is posted to the server, which responds with the same form and its errors. */
function Form({ isSubmitting, failure, register, result, submitButton }: FormProps) {
  const showToast = useToast();
  const { categories } = useSiteConfig();
  const refusedForm = useRefusedForm();
  const earlyFields = useEarlyFields(ACTION);
  const isSlow = useSlowRequest(isSubmitting);
  const terms = useRef<HTMLInputElement>(null);
  const honeypot = useRef<HTMLInputElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const [posted] = useState(refusedForm.read);
  const { prefilled } = posted ?? {};
  const [refused, setRefused] = useState(prefilled ? undefined : posted);
  const [filled, setFilled] = useState<FilledFields>(prefilled?.filled ?? {});
  // From the first submission on, every change is validated.
  const [isSubmitted, setIsSubmitted] = useState(refused !== undefined);
  const isHydrated = useHydrated();

  const formik = useFormik({
    initialValues: posted?.values ?? initialValues,
    initialErrors: refused?.errors ?? {},
    validate,
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
  const { values, submitCount, setValues } = formik;
  const errors = isSubmitted ? formik.errors : {};
  const errorCount = Object.keys(errors).length;

  // Text typed before hydration, else the draft.
  useEffect(() => {
    refusedForm.drop();
    const saved = [earlyFields && readFormData(earlyFields), readDraft(categories)].find(
      (found) => found && !isEmpty(found),
    );
    if (saved) void setValues(saved, false);
  }, [refusedForm, earlyFields, setValues, categories]);

  // Not before the draft is restored.
  const isRestored = useRef(false);
  useEffect(() => {
    if (isRestored.current) saveDraft(values);
    isRestored.current = true;
  }, [values]);

  // The summary gets the focus after a validation that found errors.
  useEffect(() => {
    if (submitCount > 0 && !formik.isSubmitting) summary.current?.focus();
  }, [submitCount, formik.isSubmitting]);

  const handleFound = (prefill: Prefill) => {
    const next = fillIn(values, prefill);
    setFilled({ ...filled, ...next.filled });
    void setValues(next.values, isSubmitted);
    const gap = findGap(next.values);
    if (gap) document.getElementById(toFieldId(gap))?.focus();
    return describeFilled(next.filled);
  };
  const handleUndo = (field: keyof RegisterFormValues) => {
    const { [field]: undone, ...rest } = filled;
    setFilled(rest);
    if (undone) void formik.setFieldValue(field, undone.before, isSubmitted);
    document.getElementById(toFieldId(field))?.focus();
  };

  const handleSaveDraft = () =>
    showToast(
      saveDraft(values)
        ? { title: 'Draft saved', message: 'Your draft is kept in this browser.', variant: 'default' }
        : { title: 'Error', message: 'This browser does not allow drafts to be kept.', variant: 'destructive' },
    );

  return (
    <>
      <PrefillForm
        question="Have a website or an agent card?"
        url={prefilled?.url}
        message={prefilled && posted?.message}
        onFound={handleFound}
        onCategory={(id) => void formik.setFieldValue('category', id, isSubmitted)}
      />
      <AgentForm
        action={ACTION}
        aria-labelledby="register-title"
        {...{ values, refused, errors, isHydrated }}
        onSubmit={(event) => {
          setRefused(undefined);
          setIsSubmitted(true);
          formik.handleSubmit(event);
        }}
      >
        <AgentFields formik={formik} errors={errors} filled={filled} onUndo={handleUndo} isNew />
        <Checkbox
          ref={terms}
          id="register-terms"
          name={TERMS_FIELD}
          required
          // Browsers call an empty required field invalid.
          aria-invalid={isSubmitted ? undefined : false}
          size="md"
          // The browser must not restore consent.
          autoComplete="off"
          classNames={{ body: classes.terms }}
          label="I agree to the terms: I may list this agent, what I say of it is true, and all of it will be public."
        />
        <div aria-hidden className={classes.honeypot}>
          <label htmlFor="register-honeypot">Leave this empty</label>
          <input ref={honeypot} id="register-honeypot" name={HONEYPOT_FIELD} tabIndex={-1} {...noAutofill} />
        </div>
        {!refused && errorCount > 0 && (
          <ErrorSummary
            ref={summary}
            title={errorCount === 1 ? 'One field is not right yet:' : `${errorCount} fields are not right yet:`}
            errors={errors}
          />
        )}
        {failure !== undefined && (
          // The toast has announced it.
          <FormFailure ref={result} role="group" className={classes.alert} title="Error">
            {failure}
          </FormFailure>
        )}
        {isSlow && (
          <Text role="alert" size="sm">
            {SLOW_REQUEST} What you have typed is kept.
          </Text>
        )}
        <Group gap="sm" className={classes.buttons}>
          <Button ref={submitButton} type="submit" size="md" disabled={isSubmitting} className={classes.submit}>
            {isSubmitting ? 'Registering...' : 'Register Agent'}
          </Button>
          <Button
            className="needs-scripts"
            size="md"
            variant="default"
            disabled={!isHydrated}
            onClick={handleSaveDraft}
          >
            Save Draft
          </Button>
        </Group>
      </AgentForm>
    </>
  );
}
