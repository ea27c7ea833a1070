import {
  DEFAULT_API_ACCESS,
  DEFAULT_PRICING_MODEL,
  newAgentSchema,
  type ApiAccess,
  type CategoryId,
  type NewAgentInput,
  type PricingModel,
} from '@agent-registry/contracts';

/** The values of the registration form; capabilities are one comma-separated text. */
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

/** The first error message of each invalid field. */
export type RegisterFormErrors = Partial<Record<keyof RegisterFormValues, string>>;

/** The name of the terms checkbox. */
export const TERMS_FIELD = 'terms';

/** The values of an empty form. */
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

/** Whether nothing was entered. */
export function isEmpty(values: RegisterFormValues): boolean {
  return JSON.stringify(values) === JSON.stringify(initialValues);
}

/** Reads the values of a submitted form; a missing field has its initial value. */
export function readFormData(data: URLSearchParams | FormData): RegisterFormValues {
  const entries = Object.entries(initialValues).map(([field, value]) => [field, data.get(field) ?? value] as const);
  return Object.fromEntries(entries) as RegisterFormValues;
}

/** Splits comma-separated capabilities and trims each; an empty string gives an empty list. */
export function parseCapabilities(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((entry) => entry.trim());
}

/** Converts form values to the input of `agents.register`, without validating them. */
export function toNewAgentInput(values: RegisterFormValues): NewAgentInput {
  // An empty category is an error that validation finds.
  return { ...values, category: values.category as CategoryId, capabilities: parseCapabilities(values.capabilities) };
}

/** Picks the first message of each field of the form from field errors such as `capabilities.3`. */
export function toFormErrors(errors: readonly { field: string; message: string }[]): RegisterFormErrors {
  const firstMessages = new Map<string, string>();
  for (const { field, message } of errors) {
    const [name = ''] = field.split('.');
    if (name in initialValues && !firstMessages.has(name)) firstMessages.set(name, message);
  }
  return Object.fromEntries(firstMessages);
}

/** Validates form values against the contract's schema. */
export function validate(values: RegisterFormValues): RegisterFormErrors {
  const { error } = newAgentSchema.safeParse(toNewAgentInput(values));
  return toFormErrors((error?.issues ?? []).map(({ path, message }) => ({ field: path.join('.'), message })));
}
