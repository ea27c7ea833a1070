import { escapeXml, formatCount, OPENAPI_PATH } from '@agent-registry/contracts';

/** A reference to a component, such as `#/components/schemas/Agent`. */
type Reference = { $ref?: string };
/** The part of a JSON schema that the reference shows. */
type Schema = Reference & {
  type?: string | string[];
  const?: string;
  enum?: (string | null)[];
  format?: string;
  default?: string | string[] | null;
  description?: string;
  examples?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
};
type Body = { content?: { 'application/json'?: { schema: Schema; example?: unknown } } };
type Header = Reference & { description?: string };
type Response = Reference & Body & { description?: string; headers?: Record<string, Header> };
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Body;
  security?: object[];
  responses: Record<string, Response>;
};
type Document = {
  info: { title?: string; summary?: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, Response>;
    headers?: Record<string, Header>;
  };
};
/** A name and its descriptions, as HTML. */
type Row = [name: string, descriptions: string[]];

/**
 * Renders the API reference: an HTML page without scripts, made from the OpenAPI document.
 * @param origin where visitors reach the registry, such as `https://registry.example`
 */
export function renderApiReference(openApiDocument: object, origin: string): string {
  const { info, paths, components } = openApiDocument as Document;
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const links = calls.map(
    ({ method, path, operation: { operationId } }) =>
      `<li><a href="#${escapeXml(operationId)}"><b>${method}</b> <code>${escapeXml(path)}</code></a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference – ${escapeXml(info.title)}</title>
<meta name="description" content="The calls of the REST API of ${escapeXml(info.title)}.">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLES}</style>
</head>
<body>
<header><a href="/">${escapeXml(info.title)}</a></header>
<main>
<h1>API reference</h1>
<p>${escapeXml(info.summary)} ${escapeXml(info.description)}</p>
<p>The <a href="${OPENAPI_PATH}">OpenAPI document</a> says the same to programs.</p>
<nav aria-label="Calls"><ul>${links.join('')}</ul></nav>
${calls.map(({ method, path, operation }) => renderOperation(method, path, operation)).join('')}
${Object.entries(components.schemas).map(renderSchema).join('')}
</main>
</body>
</html>
`;

  function renderOperation(method: string, path: string, operation: Operation): string {
    const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
    const [[status, success] = ['', {}], ...others] = Object.entries(responses);
    const body = requestBody?.content?.['application/json'];
    const parameterRows = parameters.map(({ name, in: place, required, description: text, schema }): Row => {
      const notes = required ? `${place}, required` : place;
      return [`<code>${escapeXml(name)}</code> <small>${notes}</small>`, [describe(schema), escapeXml(text)]];
    });
    const headerRows = Object.entries(success.headers ?? {}).map(([name, header]): Row => {
      return [`<code>${escapeXml(name)}</code>`, [escapeXml(resolve(header, components.headers).description)]];
    });
    const otherRows = others.map(([code, response]): Row => {
      return [`<code>${code}</code>`, [escapeXml(resolve(response, components.responses).description)]];
    });
    const schema = success.content?.['application/json']?.schema;
    return `<section id="${escapeXml(operationId)}">
<h2><b>${method}</b> <code>${escapeXml(path)}</code></h2>
<p>${escapeXml(summary)}. ${escapeXml(description)}</p>
<pre tabindex="0"><code>${escapeXml(toCurl(method, path, operation))}</code></pre>
${parameterRows.length > 0 ? `<h3>Parameters</h3>${renderRows(parameterRows)}` : ''}
${body ? `<h3>Body</h3><p>${describe(body.schema)}</p>` : ''}
<h3>Response ${status}</h3>
<p>${escapeXml(success.description)}${schema ? `: ${describe(schema)}` : ''}</p>
<details><summary>Headers</summary>${renderRows(headerRows)}</details>
<details><summary>Other statuses</summary>${renderRows(otherRows)}</details>
</section>`;
  }

  function toCurl(method: string, path: string, { parameters = [], requestBody, security }: Operation): string {
    const example = requestBody?.content?.['application/json']?.example;
    const required = parameters.filter((parameter) => parameter.required);
    const url = new URL(origin + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name)));
    for (const { in: place, name } of required) if (place === 'query') url.searchParams.set(name, exampleOf(name));
    const headers = required.filter((parameter) => parameter.in === 'header').map(({ name }) => `${name}: <key>`);
    if (security) headers.unshift('Authorization: Bearer <key>');
    return [
      `curl '${url.href}'`,
      ...(method === 'GET' || (method === 'POST' && example !== undefined) ? [] : [`--request ${method}`]),
      ...headers.map((header) => `--header '${header}'`),
      ...(example === undefined ? [] : [`--json '${JSON.stringify(example, null, 2)}'`]),
    ].join(' ');

    function exampleOf(name: string): string {
      return required.find((parameter) => parameter.name === name)?.schema.examples?.[0] ?? name;
    }
  }
}

function renderSchema([name, { description, properties = {}, required = [] }]: [string, Schema]): string {
  const rows = Object.entries(properties).map(([field, schema]): Row => {
    const notes = required.includes(field) ? '' : ' <small>optional</small>';
    return [`<code>${escapeXml(field)}</code>${notes}`, [describe(schema), escapeXml(schema.description)]];
  });
  return `<section id="${escapeXml(name)}"><h2>${escapeXml(name)}</h2><p>${escapeXml(description)}</p>${renderRows(rows)}</section>`;
}

function renderRows(rows: Row[]): string {
  const toRow = ([name, descriptions]: Row) => {
    const shown = descriptions.filter(Boolean).map((description) => `<dd>${description}</dd>`);
    return `<div><dt>${name}</dt>${shown.join('')}</div>`;
  };
  return `<dl>${rows.map(toRow).join('')}</dl>`;
}

/** Describes the type of a value, as HTML. */
function describe(schema: Schema): string {
  const { $ref, type, items, properties, additionalProperties } = schema;
  const name = toName($ref);
  if (name) return `<a href="#${escapeXml(name)}">${escapeXml(name)}</a>`;
  if (schema.const !== undefined) return `<code>${escapeXml(schema.const)}</code>`;
  if (schema.enum) {
    return schema.enum.map((value) => `<code>${escapeXml(value ?? 'null')}</code>`).join(', ') + describeBounds(schema);
  }
  if (items) return `list of ${describe(items)}${describeBounds(schema)}`;
  if (properties) {
    const fields = Object.entries(properties).map(
      ([field, value]) => `<code>${escapeXml(field)}</code> ${describe(value)}`,
    );
    return `object: ${fields.join('; ')}`;
  }
  if (typeof additionalProperties === 'object') return `object whose values are: ${describe(additionalProperties)}`;
  const types = [type].flat().map((one) => (one === 'string' ? (formats[schema.format ?? ''] ?? 'text') : one));
  return escapeXml(types.join(' or ')) + describeBounds(schema);
}

const formats: Record<string, string> = {
  uuid: 'UUID',
  uri: 'web address',
  email: 'email address',
  'date-time': 'ISO 8601 in UTC',
};

function describeBounds({ minimum, maximum, minLength, maxLength, maxItems, default: value }: Schema): string {
  const isBound = (bound = Infinity) => Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const bounds = [
    isBound(minimum) && `at least ${minimum}`,
    isBound(maximum) && `at most ${maximum}`,
    minLength && `at least ${minLength} character`,
    maxLength && `at most ${formatCount(maxLength)} code points`,
    maxItems && `at most ${maxItems}`,
    typeof value === 'string' && `by default ${value}`,
  ];
  return bounds
    .filter((bound) => typeof bound === 'string')
    .map((bound) => `, ${escapeXml(bound)}`)
    .join('');
}

/** Resolves a reference to a component. */
function resolve<Component extends Reference>(component: Component, all: Record<string, Component> = {}): Component {
  return all[toName(component.$ref) ?? ''] ?? component;
}

function toName($ref: string | undefined): string | undefined {
  return $ref?.split('/').at(-1);
}

const STYLES = `
:root { color-scheme: light dark; --ink: light-dark(#10181f, #eef2f6); --muted: light-dark(#55616e, #9aa7b5);
  --line: light-dark(#e4e8eb, #232b35); --panel: light-dark(#fff, #12171e); --link: light-dark(#0f7663, #34c3a3);
  font: 100%/1.6 'Inter Variable', Inter, system-ui, sans-serif; scroll-padding-top: 1rem; }
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: anywhere; background: light-dark(#fbfcfc, #0b0f14); color: var(--ink); }
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
dl > div { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 1rem; padding: 0.5rem 1rem; }
dl > div + div { border-top: 1px solid var(--line); }
dd { margin: 0; color: var(--muted); overflow-wrap: anywhere; }
@media (min-width: 40em) { dl > div { grid-template-columns: minmax(0, 14rem) minmax(0, 1fr); } dd { grid-column: 2; } }
`;
