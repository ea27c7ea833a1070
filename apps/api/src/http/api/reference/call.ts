import { listCommonErrors, resolve, type Call, type Document, type Response } from './document.ts';
import { html, type Html } from './html.ts';
import { describe, renderRows, type Row } from './schema.ts';

type ExampleRequest = {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body?: unknown;
};

/** The order of parameters. */
const PLACES = ['path', 'query', 'header'];

/** Renders the section of a call: its parameters, body, response and errors and an example. */
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
      <div>${renderExample(call, origin)}</div>
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
