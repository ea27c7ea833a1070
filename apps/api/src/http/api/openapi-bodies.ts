import {
  formatCount,
  MAX_CONNECTIONS,
  MAX_REPORT_LENGTH,
  rowOf,
  type EndpointDescription,
} from '@agent-registry/contracts';
import type { oas31 } from 'zod-openapi';

type Schema = oas31.SchemaObject;
export type Body = NonNullable<EndpointDescription['body']>;

/** What zod checks in functions, and the defaults of fields that it transforms; neither is in its JSON schema. */
function describeField(name: string): Schema {
  if (name === 'text') return { default: null, description: describeLength(MAX_REPORT_LENGTH) };
  const row = rowOf(name);
  if (row?.kind === 'text') return { description: describeLength(row.bounds.max) };
  if (row?.kind === 'email') return { format: 'email' };
  if (row?.kind === 'address') return { format: 'uri', default: null };
  if (row?.kind === 'connections') {
    const items = { $ref: '#/components/schemas/NewConnection' };
    return { items, maxItems: MAX_CONNECTIONS, description: 'At most 16 KiB.' };
  }
  if (row?.kind !== 'texts') return {};
  const { min, max } = row.bounds;
  const bound = min === undefined ? 'Each at most' : `Each at least ${min} and at most`;
  return { maxItems: row.most, default: [], description: describeLength(max, bound) };
}

/** Says what `maxLength` cannot: JSON Schema counts the code points that a character is made of. */
function describeLength(max: number, bound = 'At most'): string {
  return `${bound} ${formatCount(max)} characters as people see them.`;
}

export function describeBody(generated: Schema, { description, isPatch }: Body, response: Schema): Schema {
  const properties = Object.entries(generated.properties ?? {}).map(([name, property]) => {
    const { default: fallback, description: bound, ...others } = describeField(name);
    const { description: meaning, examples } = (response.properties?.[name] ?? property) as Schema;
    return [
      name,
      {
        ...joinNull(property as Schema),
        ...others,
        ...(fallback !== undefined && !isPatch && { default: fallback }),
        description: [meaning, bound].filter(Boolean).join(' '),
        examples,
      },
    ];
  });
  return { ...generated, description, properties: Object.fromEntries(properties) as Schema['properties'] };
}

/** Writes a schema or null, which zod writes as two, as one schema with both types. */
function joinNull({ anyOf, ...schema }: Schema): Schema {
  const [value, nothing] = (anyOf ?? []) as Schema[];
  if (value === undefined || nothing?.type !== 'null') return { ...schema, ...(anyOf && { anyOf }) };
  const { type = [], enum: values, ...joined } = joinNull(value);
  const types = [...new Set([type, 'null' as const].flat())];
  return { ...schema, ...joined, type: types, ...(values && { enum: [...values, null] }) };
}
