import { newAgentSchema } from '@agent-registry/contracts';
import { toFormErrors, toNewAgentInput, type RegisterFormErrors, type RegisterFormValues } from './form-values.ts';

/** Validates form values against the contract's schema. */
export function validate(values: RegisterFormValues): RegisterFormErrors {
  const { error } = newAgentSchema.safeParse(toNewAgentInput(values));
  return toFormErrors((error?.issues ?? []).map(({ path, message }) => ({ field: path.join('.'), message })));
}
