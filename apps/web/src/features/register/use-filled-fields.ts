import type { Prefill } from '@agent-registry/contracts';
import type { useFormik } from 'formik';
import { useState } from 'react';
import { toFieldId } from '../../components/agent-form/ErrorSummary.tsx';
import type { RegisterFormValues } from '../../components/agent-form/form-values.ts';
import { describeFilled, fillIn, findGap, type FilledFields } from '../../components/agent-form/prefill-values.ts';

type FilledForm = {
  formik: Pick<ReturnType<typeof useFormik<RegisterFormValues>>, 'values' | 'setValues' | 'setFieldValue'>;
  /** The fields that the server has filled in. */
  initiallyFilled: FilledFields | undefined;
  /** Whether changes are validated. */
  isValidated: boolean;
};

/** The fields of a form that were filled in from an address, and what fills in more of them and takes one back. */
export function useFilledFields({ formik, initiallyFilled = {}, isValidated }: FilledForm) {
  const { values, setValues, setFieldValue } = formik;
  const [filled, setFilled] = useState(initiallyFilled);

  /** Fills in the empty fields, and leads to the first that is still missing. Returns what became of them, as a sentence. */
  const fill = (prefill: Prefill): string => {
    const next = fillIn(values, prefill);
    setFilled({ ...filled, ...next.filled });
    void setValues(next.values, isValidated);
    const gap = findGap(next.values);
    if (gap) document.getElementById(toFieldId(gap))?.focus();
    return describeFilled(next.filled);
  };
  const undo = (field: keyof RegisterFormValues) => {
    const { [field]: undone, ...rest } = filled;
    setFilled(rest);
    if (undone) void setFieldValue(field, undone.before, isValidated);
    document.getElementById(toFieldId(field))?.focus();
  };
  return { filled, fill, undo };
}
