import type { Call, Parameter } from './document.ts';
import { html, type Html } from './html.ts';

/** How many agents or changes a tried call asks for: the whole list would be long. */
const TRIED_LIMIT = '3';

/** Renders the form with which a visitor sends a call; the script of the page shows it and sends it. */
export function renderTryIt({ id, path, operation }: Call): Html {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
  return html`<details class="try" data-try hidden>
    <summary>Try it</summary>
    <form action="${path}">
      ${parameters.map((parameter) => renderField(id, parameter))}
      <button type="submit" class="send">Send</button>
      <output></output>
    </form>
  </details>`;
}

function renderField(id: string, parameter: Parameter): Html {
  const { name, in: place, required = false } = parameter;
  const fieldId = `${id}-${name}`;
  return html`<label for="${fieldId}"><code>${name}</code>${required && ' (required)'}</label>
    ${renderInput(parameter, html`id="${fieldId}" name="${name}" data-in="${place}"${required && ' required'}`)}`;
}

function renderInput({ name, schema, required = false }: Parameter, attributes: Html): Html {
  const { type, items, minimum, maximum, examples = [] } = schema;
  const values = type === 'boolean' ? ['true', 'false'] : schema.enum;
  if (values) {
    const options = [...(required ? [] : ['']), ...values].map((value) => html`<option>${value ?? ''}</option>`);
    return html`<select ${attributes}>
      ${options}
    </select>`;
  }
  if (type === 'integer') {
    const bounds = [['min', minimum] as const, ['max', maximum] as const]
      .filter(([, bound]) => bound !== undefined)
      .map(([bound, value]) => html`${bound}="${value}" `);
    return html`<input type="number" value="${name === 'limit' && TRIED_LIMIT}" ${bounds}${attributes} />`;
  }
  // The id of an example is that of no agent.
  const isExample = required && schema.format !== 'uuid';
  const hint = examples[0] ?? items?.enum?.slice(0, 2).join(',');
  return html`<input value="${isExample && examples[0]}" placeholder="${hint}" autocomplete="off" ${attributes} />`;
}
