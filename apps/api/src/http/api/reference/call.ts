import { listCommonErrors, resolve, type Call, type Document, type Response, type Parameter } from './document.ts';
import { html, type Html } from './html.ts';
import { describe, renderRows, type Row } from './schema.ts';

type ExampleRequest = {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body?: unknown;
};

/** How many agents or changes a tried call asks for: the whole list would be long. */
const TRIED_LIMIT = '3';

/** The order of parameters. */
const PLACES = ['path', 'query', 'header'];

/** Renders the section of a call: its parameters, body, response and errors, an example, and a form to try it. */
export function renderCall(call: Call, document: Document, origin: string): Html {
  const { id, method, path, operation } = call;
  const { summary, description } = operation;
  return html`<section id="${id}" class="call">
    <h3><b>${method}</b> <code>${path}</code></h3>
    <p>${summary}. ${description}</p>
    <div class="columns">
      <div>
        ${renderParameters(call)} ${renderBody(call)} ${renderSuccess(call, document)} ${renderErrors(call, document)}
      </div>
      <div>${renderExample(call, origin)} ${method === 'GET' && renderTryIt(call)}</div>
    </div>
  </section>`;
}

function renderParameters({ operation: { parameters = [] } }: Call): Html | undefined {
  const rows = parameters
    .toSorted((one, other) => PLACES.indexOf(one.in) - PLACES.indexOf(other.in))
    .map(({ name, in: place, required, description, schema }): Row => {
      return [name, required ? `${place}, required` : place, [describe(schema), description]];
    });
  return rows.length > 0
    ? html`<h4>Parameters</h4>
        ${renderRows(rows)}`
    : undefined;
}

function renderBody({ operation: { requestBody } }: Call): Html | undefined {
  const body = requestBody?.content?.['application/json'];
  return (
    body &&
    html`<h4>Body</h4>
      <p>${describe(body.schema)}</p>`
  );
}

function renderSuccess({ operation }: Call, { components }: Document): Html {
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 300);
  const [, { headers = {}, content } = {}] = successes[0] ?? [];
  const schema = content?.['application/json']?.schema;
  const rows = Object.entries(headers).map(([name, header]): Row => {
    return [name, '', [resolve(header, components.headers).description]];
  });
  return html`<h4>Response</h4>
    ${successes.map(([status, response]) => html`<p><code>${status}</code> ${response.description}</p>`)}
    ${schema && html`<p>${describe(schema)}</p>`}
    <details>
      <summary>Headers</summary>
      ${renderRows(rows)}
    </details>`;
}

function renderErrors({ operation }: Call, document: Document): Html {
  const common = listCommonErrors(document);
  const own = Object.entries(operation.responses).filter(
    ([status]) => Number(status) >= 400 && !common.includes(status),
  );
  return html`<h4>Errors</h4>
    ${own.length > 0 && renderRows(own.map((error) => toErrorRow(error, document)))}
    <p>${own.length > 0 ? 'And those' : 'Those'} of <a href="#errors">every call</a>.</p>`;
}

/** A status and what it means. */
export function toErrorRow([status, response]: [string, Response], { components }: Document): Row {
  return [status, '', [resolve(response, components.responses).description]];
}

function renderExample(call: Call, origin: string): Html {
  const label = `curl: ${call.method} ${call.path}`;
  return html`<h4>Example</h4>
    <pre tabindex="0" role="region" aria-label="${label}"><code>${toCurl(toExampleRequest(call, origin))}</code></pre>`;
}

/** Renders the form with which a visitor sends a call; the script of the page shows it and sends it. */
function renderTryIt({ id, path, operation }: Call): Html {
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

/** Creates the example of a call: with its required parameters, and the example of its body. */
export function toExampleRequest({ method, path, operation }: Call, origin: string): ExampleRequest {
  const { parameters = [], requestBody, security = [] } = operation;
  const required = parameters.filter((parameter) => parameter.required);
  const exampleOf = (name: string) =>
    required.find((parameter) => parameter.name === name)?.schema.examples?.[0] ?? name;
  const url = new URL(origin + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name)));
  for (const { in: place, name } of required) if (place === 'query') url.searchParams.set(name, exampleOf(name));
  // A call that can be sent without a key has an empty alternative.
  const needsKey = security.length > 0 && security.every((alternative) => Object.keys(alternative).length > 0);
  const headers = required.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  return {
    method,
    url: url.href,
    headers: [
      ...(needsKey ? [['Authorization', 'Bearer <key>'] as [string, string]] : []),
      ...headers.map((name): [string, string] => [name, '<key>']),
    ],
    body: requestBody?.content?.['application/json']?.example,
  };
}

/** Writes a request as a curl command. */
export function toCurl({ method, url, headers, body }: ExampleRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined);
  return [
    `curl ${isImplied ? '' : `--request ${method} `}${quote(url)}`,
    ...headers.map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--json ${quote(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}
