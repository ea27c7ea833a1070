import {
  DEFAULT_API_ACCESS,
  DEFAULT_PRICING_MODEL,
  newAgentSchema,
  type ApiAccess,
  type CategoryId,
  type NewAgentInput,
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

/** Splits a comma-separated text into trimmed entries; an empty text has none. */
export function parseCapabilities(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((entry) => entry.trim());
}

/** The registration that the form's values make; call it on values that `validate` found no error in. */
export function toNewAgent(values: RegisterFormValues): NewAgentInput {
  return newAgentSchema.parse(toInput(values));
}

/** The first message for each field that the contract does not accept. */
export function validate(values: RegisterFormValues): FormikErrors<RegisterFormValues> {
  const errors: Record<string, string> = {};
  for (const { path, message } of newAgentSchema.safeParse(toInput(values)).error?.issues ?? []) {
    errors[String(path[0])] ??= message;
  }
  return errors;
}

function toInput(values: RegisterFormValues) {
  return { ...values, capabilities: parseCapabilities(values.capabilities) };
}
