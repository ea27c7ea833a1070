import { OPENAPI_PATH } from '@agent-registry/contracts';
import { renderCall, toErrorRow } from './call.ts';
import { listCalls, listCommonErrors, type Call, type Document } from './document.ts';
import { renderFrame, type Frame } from './frame.ts';
import { html, type Html } from './html.ts';
import { renderRows, renderSchema } from './schema.ts';
import { PRODUCT, REQUESTS_SECTION } from '../../../website-check/user-agent.ts';

/** The id of the section that says where the stars of agents come from. */
const RATINGS_SECTION = 'ratings';

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

/** Renders what people ask who meet the registry elsewhere: in the logs of a website, or behind a star. */
function renderEntryNotes(): Html {
  return html`<section id="${REQUESTS_SECTION}">
      <h2>Requests to websites</h2>
      <p>
        Requests with the User-Agent <code>${PRODUCT}</code> come from this registry, never from a visitor's browser.
        There are three kinds:
      </p>
      <ul>
        <li>
          A registry that is set to do so asks an address to which one connects whether it answers: an MCP server with
          <code>initialize</code> and <code>tools/list</code>, other addresses with <code>GET</code>, once a day, as
          <code>robots.txt</code> allows, and only if the owner controls the website or a source is followed. It calls
          no tool, sends no credentials, and waits 5 seconds at most. After 404, 405 or 410 twice it pauses for 30 days.
          Owners of an entry can ask for five more a day.
        </li>
        <li>
          When somebody fills in the form from an address: the page and descriptions beside it, five requests at most,
          redirects included, to one host.
        </li>
        <li>
          When an owner proves to control a website: one file and the listed page. Of a repository one file, again once
          a day while the proof stands, and at most once a second from one service.
        </li>
      </ul>
      <p>
        To be left out of the daily request, disallow <code>/</code> for <code>${PRODUCT}</code> in your
        <code>robots.txt</code>. What a connection answers changes no list and no order.
      </p>
    </section>
    <section id="${RATINGS_SECTION}">
      <h2>Ratings</h2>
      <p>
        Visitors cannot rate agents here. Stars and numbers of reviews come with an import by the operator of the
        registry, from wherever the operator has them; the registry has not checked them. An agent without reviews has
        0.0 stars, shown muted, and tells search engines no rating.
      </p>
    </section>`;
}
