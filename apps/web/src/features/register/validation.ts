import { newAgentSchema, type NewAgentInput } from '@agent-registry/contracts';
import type { RegisterFormErrors, RegisterFormValues } from './form-values.ts';

/** Splits a comma-separated text into trimmed entries; an empty text has none. */
export function parseCapabilities(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((entry) => entry.trim());
}

/** The registration that the form's values make; call it on values that `validate` found no error in. */
export function toNewAgent(values: RegisterFormValues): NewAgentInput {
  return newAgentSchema.parse(toInput(values));
}

/** The first message for each field that the contract does not accept. */
export function validate(values: RegisterFormValues): RegisterFormErrors {
  const errors: Record<string, string> = {};
  for (const { path, message } of newAgentSchema.safeParse(toInput(values)).error?.issues ?? []) {
    errors[String(path[0])] ??= message;
  }
  return errors;
}

function toInput(values: RegisterFormValues) {
  return { ...values, capabilities: parseCapabilities(values.capabilities) };
}
