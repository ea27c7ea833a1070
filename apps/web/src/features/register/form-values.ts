import {
  DEFAULT_API_ACCESS,
  DEFAULT_PRICING_MODEL,
  type ApiAccess,
  type CategoryId,
  type PricingModel,
} from '@agent-registry/contracts';
import type { FormikErrors } from 'formik';

/** What the registration form holds; capabilities are one comma-separated text. */
export type RegisterFormValues = {
  name: string;
  description: string;
  category: CategoryId | '';
  capabilities: string;
  contactEmail: string;
  website: string;
  pricingModel: PricingModel;
  apiAccess: ApiAccess;
};

/** A field of the form, by its name in the document. */
export type FieldName = keyof RegisterFormValues;

/** The first message for each field that is wrong. */
export type RegisterFormErrors = FormikErrors<RegisterFormValues>;

/** The name of the box by which an owner agrees to the terms. */
export const TERMS_FIELD = 'terms';

/** The form before anything is typed. */
export const initialValues: RegisterFormValues = {
  name: '',
  description: '',
  category: '',
  capabilities: '',
  contactEmail: '',
  website: '',
  pricingModel: DEFAULT_PRICING_MODEL,
  apiAccess: DEFAULT_API_ACCESS,
};

/** A form as it was sent; a field that is not there is as it was before anything was typed. */
export function readFields(fields: URLSearchParams | FormData): RegisterFormValues {
  const given = Object.keys(initialValues).map((field) => [field, fields.get(field)] as const);
  return { ...initialValues, ...Object.fromEntries(given.filter(([, value]) => typeof value === 'string')) };
}

/** What stands in the fields of a form; of those that are disabled, what they hold before anything is typed. */
export function readForm(form: HTMLFormElement): RegisterFormValues {
  return readFields(new FormData(form));
}

/** Writes values into the fields of a form, be they disabled or not. */
export function writeForm({ elements }: HTMLFormElement, values: RegisterFormValues): void {
  for (const [field, value] of Object.entries(values)) {
    (elements.namedItem(field) as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement).value = value;
  }
}
