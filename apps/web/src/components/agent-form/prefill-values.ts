import { writeList, type Prefill } from '@agent-registry/contracts';
import { initialValues, type RegisterFormValues } from './form-values.ts';

/** Where the values of the fields that were filled in were found, and the values before. */
export type FilledFields = Partial<Record<keyof RegisterFormValues, { source: string; before: string }>>;

function toInputValue({ field, value }: Prefill['fields'][number]): string {
  if (typeof value === 'string') return value;
  const toText = (entry: unknown) => (typeof entry === 'string' ? entry.replaceAll(',', ' ') : entry);
  return writeList(field, field === 'capabilities' ? value.map(toText) : value);
}

export function fillIn<Values extends RegisterFormValues>(
  values: Values,
  { fields }: Prefill,
): { values: Values; filled: FilledFields } {
  const next: Record<string, unknown> = { ...values };
  const filled: FilledFields = {};
  for (const found of fields) {
    const { field, source } = found;
    const [before, value] = [values[field], toInputValue(found)];
    if (before.trim() !== initialValues[field] || value === before) continue;
    next[field] = value;
    filled[field] = { source, before };
  }
  return { values: next as Values, filled };
}

export function describeFilled(filled: FilledFields, { left = [] }: Pick<Prefill, 'left'>): string {
  const count = Object.keys(filled).length;
  const others = left.length > 0 ? ` Not taken: ${left.join('; ')}.` : '';
  if (count === 0) return `Nothing new was found for the empty fields.${others}`;
  return `${count === 1 ? 'One field was' : `${count} fields were`} filled in. Check them before you go on.${others}`;
}

export function findGap(values: RegisterFormValues): keyof RegisterFormValues | undefined {
  return (['name', 'description', 'category', 'contactEmail'] as const).find((field) => values[field].trim() === '');
}
