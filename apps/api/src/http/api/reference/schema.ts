import { formatCount } from '@agent-registry/contracts';
import { toName, type Schema } from './document.ts';
import { html, type Html } from './html.ts';

const formats: Record<string, string> = {
  uuid: 'UUID',
  uri: 'web address',
  email: 'email address',
  'date-time': 'ISO 8601 in UTC',
};

/** A name, its notes, and its descriptions. */
export type Row = [name: string, notes: string, descriptions: (Html | string | undefined)[]];

/** Renders rows as a list of terms. */
export function renderRows(rows: readonly Row[]): Html {
  return html`<dl>${rows.map(renderRow)}</dl>`;
}

function renderRow([name, notes, descriptions]: Row): Html {
  const shown = descriptions.filter((text) => text !== undefined && text !== '');
  return html`<div>
    <dt><code>${name}</code>${notes !== '' && html` <small>${notes}</small>`}</dt>
    ${shown.map((text) => html`<dd>${text}</dd>`)}
  </div>`;
}

/** Renders a component: its description and its fields. */
export function renderSchema([name, { description, properties = {}, required = [] }]: [string, Schema]): Html {
  const rows = Object.entries(properties).map(([field, schema]): Row => {
    return [field, required.includes(field) ? '' : 'optional', [describe(schema), schema.description]];
  });
  return html`<section id="${name}">
    <h3>${name}</h3>
    <p>${description}</p>
    ${renderRows(rows)}
  </section>`;
}

/** Describes the type of a value. */
export function describe(schema: Schema): Html {
  const { $ref, type, items, properties, additionalProperties } = schema;
  const name = toName($ref);
  if (name !== undefined) return html`<a href="#${name}">${name}</a>`;
  if (schema.const !== undefined) return html`<code>${schema.const}</code>`;
  if (schema.enum) {
    const values = schema.enum.map((value, index) => html`${index > 0 && ', '}<code>${value ?? 'null'}</code>`);
    return html`${values}${describeBounds(schema)}`;
  }
  if (items) return html`list of ${describe(items)}${describeBounds(schema)}`;
  if (properties) {
    const fields = Object.entries(properties).map(
      ([field, value], index) => html`${index > 0 && '; '}<code>${field}</code> ${describe(value)}`,
    );
    return html`object: ${fields}`;
  }
  if (typeof additionalProperties === 'object') return html`object whose values are: ${describe(additionalProperties)}`;
  const types = [type].flat().map((one) => (one === 'string' ? (formats[schema.format ?? ''] ?? 'text') : one));
  return html`${types.join(' or ')}${describeBounds(schema)}`;
}

function describeBounds({ minimum, maximum, minLength, maxLength, maxItems, default: value }: Schema): string {
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength !== undefined && `at least ${minLength} character`,
    maxLength !== undefined && `at most ${formatCount(maxLength)} code points`,
    maxItems !== undefined && `at most ${maxItems}`,
    typeof value === 'string' && `by default ${value}`,
  ];
  return bounds
    .filter((bound) => bound !== false)
    .map((bound) => `, ${bound}`)
    .join('');
}
