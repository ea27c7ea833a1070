import { toCurl, toExampleRequest, toJavaScript, toPython } from './examples.ts';
import { listCommonErrors, resolve, type Call, type Document, type Response } from './document.ts';
import { html, type Html } from './html.ts';
import { describe, renderRows, type Row } from './schema.ts';
import { renderTryIt } from './try-it.ts';

/** The order of parameters. */
const PLACES = ['path', 'query', 'header'];

/** Renders the section of a call: its parameters, body, response and errors, examples, and a form to try it. */
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
      <div>${renderExamples(call, origin)} ${method === 'GET' && renderTryIt(call)}</div>
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

function renderExamples(call: Call, origin: string): Html {
  const request = toExampleRequest(call, origin);
  const examples = { curl: toCurl(request), JavaScript: toJavaScript(request), Python: toPython(request) };
  const parts = Object.entries(examples).map(
    ([language, code], index) =>
      html`<details name="${call.id}-example" ${index === 0 && ' open'}>
        <summary>${language}</summary>
        <pre tabindex="0" role="region" aria-label="${language}: ${call.method} ${call.path}"><code>${code}</code></pre>
      </details>`,
  );
  return html`<h4>Example</h4>
    ${parts}`;
}
