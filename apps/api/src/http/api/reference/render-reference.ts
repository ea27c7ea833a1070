import { OPENAPI_PATH } from '@agent-registry/contracts';
import { renderCall, toErrorRow } from './call.ts';
import { listCalls, listCommonErrors, type Call, type Document } from './document.ts';
import { renderEntryNotes } from './entry-notes.ts';
import { renderFrame, type Frame } from './frame.ts';
import { html, type Html } from './html.ts';
import { renderRows, renderSchema } from './schema.ts';

/**
 * Renders the API reference: a page that is whole without scripts, made from the OpenAPI document. Redoc and Scalar show
 * nothing without scripts.
 * @param origin where visitors reach the registry, such as `https://registry.example`
 */
export function renderReference(openApiDocument: object, origin: string, frame: Frame): string {
  const document = openApiDocument as Document;
  const { info, tags, components } = document;
  const calls = listCalls(document);
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    calls: calls.filter(({ operation }) => operation.tags?.includes(name)),
  }));
  const content = html`<h1>API reference</h1>
    <p class="lead">${info.summary} ${info.description}</p>
    <p>The <a href="${OPENAPI_PATH}">OpenAPI document</a> says the same to programs.</p>
    <nav class="overview" aria-label="Calls">${groups.map(renderOverview)}</nav>
    ${renderErrors(document)}
    ${groups.map(
      ({ name, description, calls: some }) =>
        html`<h2 id="${toId(name)}">${name}</h2>
          <p>${description}</p>
          ${some.map((call) => renderCall(call, document, origin))}`,
    )}
    ${renderEntryNotes()}
    <h2 id="data">Data</h2>
    <p>What calls take and send, as JSON.</p>
    ${Object.entries(components.schemas).map(renderSchema)}`;
  return renderFrame(content, frame);
}

function renderOverview({ name, calls }: { name: string; calls: readonly Call[] }): Html {
  const links = calls.map(
    ({ id, method, path, operation }) =>
      html`<li>
        <a href="#${id}"><b>${method}</b> <code>${path}</code></a> <span>${operation.summary}</span>
      </li>`,
  );
  return html`<h2><a href="#${toId(name)}">${name}</a></h2>
    <ul>
      ${links}
    </ul>`;
}

function renderErrors(document: Document): Html {
  const [call] = listCalls(document);
  const responses = call?.operation.responses ?? {};
  const rows = listCommonErrors(document).map((status) => toErrorRow([status, responses[status] ?? {}], document));
  return html`<section id="errors">
    <h2>Errors</h2>
    <p>
      The body of an error is one sentence. With <code>Accept: application/problem+json</code> it is a
      <a href="#Problem">Problem</a>, which names the fields. Every call can have these:
    </p>
    ${renderRows(rows)}
  </section>`;
}

function toId(group: string): string {
  return group.toLowerCase().replaceAll(/\W+/g, '-');
}
