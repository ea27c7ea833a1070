import { BRAND, formatCount, OPENAPI_PATH } from '@agent-registry/contracts';

/** The part of a JSON schema that the reference shows. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: string;
  enum?: string[];
  format?: string;
  default?: string;
  description?: string;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
};
type Content = { content?: Record<string, { schema: Schema }>; description?: string };
type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};

type Document = {
  info: { description?: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
type Call = { method: string; path: string; operation: Operation };

/**
 * Renders the API reference: an HTML page without scripts, made from the OpenAPI document.
 * @param origin where visitors reach the registry, such as `https://registry.example`
 */
export function renderApiReference(openApiDocument: object, origin: string): string {
  const { info, paths, components } = openApiDocument as Document;
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Call => ({ method: method.toUpperCase(), path, operation })),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference – ${BRAND}</title>
<meta name="description" content="The calls of the REST API of ${BRAND}.">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLES}</style>
</head>
<body>
<header><a href="/">${BRAND}</a></header>
<main>
<h1>API reference</h1>
<p>${escape(info.description)} No keys, no cookies. The <a href="${OPENAPI_PATH}">OpenAPI document</a> says the same to programs.</p>
<nav aria-label="Calls"><ul>
${calls.map(({ method, path, operation }) => `<li><a href="#${escape(operation.operationId)}"><b>${method}</b> <code>${escape(path)}</code></a></li>`).join('\n')}
</ul></nav>
${calls.map((call) => renderCall(call, origin)).join('\n')}
<section id="errors">
<h2>Errors</h2>
<p>An error is one sentence as <code>text/plain</code>. With <code>Accept: application/problem+json</code> or <code>application/json</code> it is an object:</p>
${renderFields(components.schemas['Problem'])}
</section>
</main>
</body>
</html>
`;
}

function renderCall({ method, path, operation }: Call, origin: string): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const [success, ...errors] = Object.entries(responses);
  const body = readSchema(requestBody);
  const result = readSchema(success?.[1]);
  const parameterRows = parameters.map(({ name, in: place, required, description: text, schema }): Row => {
    const notes = required ? `${place}, required` : place;
    return [`<code>${escape(name)}</code> <small>${notes}</small>`, [describe(schema), escape(text)]];
  });
  return `<section id="${escape(operationId)}">
<h2><b>${method}</b> <code>${escape(path)}</code></h2>
<p>${escape(summary)}. ${escape(description)}</p>
${parameters.length > 0 ? `<h3>Parameters</h3>${renderRows(parameterRows)}` : ''}
${body ? `<h3>Body</h3>${renderFields(body)}` : ''}
<h3>Example</h3>
<pre tabindex="0"><code>${escape(toCurl(method, origin + path, body))}</code></pre>
<h3>Response ${success?.[0]}: ${result?.items ? 'a list of objects' : 'an object'}</h3>
<details><summary>Fields</summary>${renderFields(result?.items ?? result)}</details>
<details><summary>Errors</summary>
${renderRows(errors.map(([status, error]) => [`<code>${status}</code>`, [escape(error.description)]]))}
</details>
</section>`;
}

function toCurl(method: string, url: string, body: Schema | undefined): string {
  const filled = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples[name] ?? name);
  if (method === 'GET') return `curl '${filled}${url.endsWith('/search') ? '?q=translate' : ''}'`;
  const fields = body?.required?.map((name) => [name, examples[name]]) ?? [];
  return `curl '${filled}' --json '${JSON.stringify(Object.fromEntries(fields), null, 2)}'`;
}

const examples: Record<string, string> = {
  id: '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f',
  name: 'Marmot Mail',
  description: 'Sorts a shared mailbox.',
  category: 'automation',
  contactEmail: 'owner@marmot.example.com',
};

function readSchema(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json']?.schema;
}

/** A name and its descriptions, as HTML. */
type Row = [name: string, descriptions: string[]];

function renderFields({ properties = {}, required = [] }: Schema = {}): string {
  return renderRows(
    Object.entries(properties).map(([name, schema]) => [
      `<code>${escape(name)}</code>${required.includes(name) ? '' : ' <small>optional</small>'}`,
      [describe(schema), escape(schema.description)],
    ]),
  );
}

function renderRows(rows: Row[]): string {
  const toRow = ([name, descriptions]: Row) =>
    `<div><dt>${name}</dt>${descriptions.map((description) => (description ? `<dd>${description}</dd>` : '')).join('')}</div>`;
  return `<dl>${rows.map(toRow).join('')}</dl>`;
}

/** Describes the type of a value, as HTML. */
function describe(schema: Schema): string {
  const { type, items, anyOf, properties, additionalProperties } = schema;
  if (schema.const !== undefined) return `<code>${escape(schema.const)}</code>`;
  if (anyOf) return anyOf.map(describe).join(' or ');
  if (schema.enum) {
    return schema.enum.map((value) => `<code>${escape(value)}</code>`).join(', ') + describeBounds(schema);
  }
  if (items) return `list of: ${describe(items)}`;
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => `<code>${escape(name)}</code> ${describe(field)}`);
    return `object: ${fields.join('; ')}`;
  }
  if (typeof additionalProperties === 'object') return `object whose values are: ${describe(additionalProperties)}`;
  const types = [type].flat().map((name) => (name === 'string' ? (formats[schema.format ?? ''] ?? 'text') : name));
  return escape(types.join(' or ')) + describeBounds(schema);
}

const formats: Record<string, string> = { uuid: 'UUID', email: 'email address', 'date-time': 'ISO 8601 in UTC' };

function describeBounds({ minimum, maximum, minLength, maxLength, default: value }: Schema): string {
  const isBound = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const bounds = [
    ...(isBound(minimum) ? [`at least ${minimum}`] : []),
    ...(isBound(maximum) ? [`at most ${maximum}`] : []),
    ...(minLength === undefined ? [] : [`at least ${minLength} character${minLength === 1 ? '' : 's'}`]),
    ...(maxLength === undefined ? [] : [`at most ${formatCount(maxLength)} characters`]),
    ...(value === undefined ? [] : [`by default ${value}`]),
  ];
  return bounds.map((bound) => `, ${escape(bound)}`).join('');
}

function escape(text = ''): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLES = `
:root { color-scheme: light dark; --ink: light-dark(#10181f, #eef2f6); --muted: light-dark(#55616e, #9aa7b5);
  --line: light-dark(#e4e8eb, #232b35); --panel: light-dark(#fff, #12171e); --link: light-dark(#0f7663, #34c3a3);
  font: 100%/1.6 'Inter Variable', Inter, system-ui, sans-serif; scroll-padding-top: 1rem; }
* { box-sizing: border-box; }
body { margin: 0; background: light-dark(#fbfcfc, #0b0f14); color: var(--ink); }
header, main { max-width: 56rem; margin: 0 auto; padding: 0.5rem 1rem; }
header a { display: inline-block; padding-block: 0.625rem; font-weight: 600; text-decoration: none; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
h1 { margin: 0.5rem 0; font-size: clamp(1.75rem, 1.1rem + 2.6vw, 2.75rem); line-height: 1.12; letter-spacing: -0.02em; }
h2 { margin: 0; font-size: 1.25rem; overflow-wrap: anywhere; }
h3 { margin: 1.25rem 0 0.25rem; font-size: 0.875rem; }
h2 b, nav b { color: var(--link); font-size: 0.8em; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: 0.9em; }
small { color: var(--muted); font-size: 0.8125rem; }
summary { padding-block: 0.625rem; cursor: pointer; font-size: 0.875rem; }
nav ul { margin: 1rem 0; padding: 0; list-style: none; }
nav a { display: block; padding: 0.625rem 0; overflow-wrap: anywhere; text-decoration: none; }
nav a:hover { text-decoration: underline; }
section { margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
pre { margin: 0; padding: 0.75rem 1rem; overflow-x: auto; border-radius: 0.625rem; background: #10181f; color: #eef2f6; }
dl { margin: 0; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--panel); }
dl > div { display: grid; gap: 0 1rem; padding: 0.5rem 1rem; }
dl > div + div { border-top: 1px solid var(--line); }
dd { margin: 0; color: var(--muted); overflow-wrap: anywhere; }
@media (min-width: 40em) { dl > div { grid-template-columns: 14rem minmax(0, 1fr); } dd { grid-column: 2; } }
`;
